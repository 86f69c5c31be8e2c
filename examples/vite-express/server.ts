import { app } from './app.ts';

const port = Number(process.env.PORT ?? 3000);
app.listen(port, (error) => {
  if (error) throw error; // for example, another program uses the port
  console.log(`The shop is at http://localhost:${port}`);
});
