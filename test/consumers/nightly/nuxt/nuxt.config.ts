export default defineNuxtConfig({ telemetry: false, compatibilityDate: '2026-11-01' });
