// Builds the bundle that the report page holds: report/page/viewer.js and viewer.css.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../report/page/', import.meta.url));
await build({
  absWorkingDir: here,
  entryPoints: { viewer: 'src/main.ts' },
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  outdir: out,
});
await build({
  absWorkingDir: here,
  entryPoints: { viewer: 'src/viewer.css' },
  bundle: true,
  minify: true,
  charset: 'utf8',
  outdir: out,
});
for (const [name, end] of [['viewer.js', /<\/script|<!--/i], ['viewer.css', /<\/style/i]]) {
  const text = readFileSync(out + name, 'utf8');
  if (end.test(text)) throw new Error(`${name} would end the element that holds it`);
  console.log(`${name}: ${(text.length / 1000).toFixed(1)} kB`);
}
