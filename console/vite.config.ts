// Configures how the console is developed and built. Assets are addressed relative to <base>, so that it can be mounted
// under any path.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { bundleBrandMarks } from './brand-sprite.ts'
import { createBudgetPlugin } from './budgets.ts'
import { findBuiltValues } from './built-values.ts'
import { chunkGroups, matchPath } from './chunks.ts'
import { coreTexts } from './core-texts.ts'
import { markPureDeclarations } from './pure-declarations.ts'
import { joinRuntimeToBase } from './runtime-in-base.ts'
import { findTextsName, joinScreenTexts } from './screen-texts.ts'

const server = process.env['WEIR_ADDRESS'] ?? 'http://127.0.0.1:3000'

/** Removes Semi's font list, so that its components use the font of the page. */
const oneFont = (): Plugin => ({
  name: 'weir:one-font',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]@douyinfe[\\/].*\.css$/ },
    handler: (code) => ({ code: code.replace(/font-family:[^;}]+/g, 'font-family: inherit'), map: null }),
  },
})

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  resolve: {
    dedupe: ['@douyinfe/semi-icons'],
    // The functions that Semi imports from lodash weigh a third as much in es-toolkit, which has the same ones.
    alias: [
      { find: /^lodash\/(\w+)$/, replacement: 'es-toolkit/compat/$1' },
      {
        find: /^\.\/source\/zh_CN$/,
        replacement: fileURLToPath(new URL('semi-locale.ts', import.meta.url)),
      },
    ],
  },
  plugins: [
    oneFont(),
    findBuiltValues(),
    bundleBrandMarks(),
    coreTexts(),
    joinScreenTexts(),
    markPureDeclarations(),
    react(),
    joinRuntimeToBase(),
    createBudgetPlugin(),
  ],
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/v1', '/pg'].map((path) => [path, { target: server }])),
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    // All styles are small; one file is one request.
    cssCodeSplit: false,
    // The font is part of the styles, which spares a request: it is there when the page is drawn, and no text changes its width.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? true : undefined),
    // All browsers of the target preload modules.
    modulePreload: { polyfill: false },
    license: { fileName: 'package-licences.md' },
    rolldownOptions: {
      // The list of components brings only those that a screen uses.
      treeshake: { moduleSideEffects: [{ test: matchPath('~/console/(semi|parts/button)\\.'), sideEffects: false }] },
      output: {
        codeSplitting: { groups: chunkGroups },
        chunkFileNames: ({ facadeModuleId, name }) => `assets/${findTextsName(facadeModuleId ?? '') ?? name}-[hash].js`,
      },
    },
  },
})
