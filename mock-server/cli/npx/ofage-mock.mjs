#!/usr/bin/env node
// Runs the command of the package `ofage`, so that `npx ofage-mock` also works outside a project.
await import(new URL('dist/ofage-mock.js', import.meta.resolve('ofage/package.json')).href);
