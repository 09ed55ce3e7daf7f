// Configures how the console is developed and built. Assets are addressed relative to <base>, so that it can be mounted
// under any path.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { createBudgetPlugin } from './budgets.ts'
import { findBuiltValues } from './built-values.ts'
import { coreTexts } from './core-texts.ts'
import { markPureDeclarations } from './pure-declarations.ts'

const server = process.env['WEIR_ADDRESS'] ?? 'http://127.0.0.1:3000'

/** Matches any of the patterns: `/` for both kinds of separator and `~/` for the folder of this repository. */
const path = (...patterns: string[]) => {
  const parts = fileURLToPath(new URL('..', import.meta.url)).split(/[\\/]/)
  const root = parts.map((part) => part.replace(/[.*+?^${}()|[\]]/g, '\\$&')).join('/')
  // oxlint-disable-next-line weir/no-pattern-of-text -- the patterns are constants of this file
  return new RegExp(patterns.join('|').replaceAll('~/', `^${root}`).replaceAll('/', '[\\\\/]'))
}

/** Modules that every screen needs, bundled into one file. A missing one only adds a little weight. */
const BASE = path(
  // Without the modules that are loaded on demand.
  '~/console/(shell/(?!palette|terminal|command-lines|conflict-|shortcut-list|acts)|data/(?!failure-words|follow|download|secret-fields|use-retold|use-walk))',
  '~/console/parts/((form|overlay|status|text)/)?(avatar|button|commands|confirm|copy|countdown-button|dialog|empty|field|human-check|markdown|menu|note|rich-text|tags|texts|tips|top-layer|undo|unloaded|use-mobile|use-width|waiting)\\.',
  '~/core/(errors|texts|contract/(foreign-scripts|framed)|auth/sign-in-services|settings/theme-color)',
  '/@tanstack/(react-)?query',
  '/semi-(ui|foundation)/.*/(_utils|_base|base|button|iconButton|input|spin|utils)/',
  '/semi-icons/.*/(components|Icon(AlertTriangle|Close|InfoCircle|Home|Language|Menu|Moon|More|Search|Sun|Terminal|Exit|Sidebar|Lock|Key|Mail|Copy|TickCircle)\\.js)',
  '(vite/preload|rolldown/runtime)',
  'node_modules/(react|react-dom|react-router|scheduler)/',
)

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
  plugins: [oneFont(), findBuiltValues(), coreTexts(), markPureDeclarations(), react(), createBudgetPlugin()],
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
    license: { fileName: 'package-licences.md' },
    rolldownOptions: {
      // The list of components brings only those that a screen uses.
      treeshake: { moduleSideEffects: [{ test: path('~/console/(semi|parts/button)\\.'), sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            // Modules of every screen: React, the frame, the data, and what may be over a page. They are one file,
            // because each file is a request.
            { name: 'base', test: BASE, priority: 2 },
            // The texts of the parts and of the frame, one file for each language.
            {
              name: (id: string) => `texts-${/[\\/]locales[\\/](\w+)/.exec(id)?.[1]}`,
              test: path('~/console/locales/\\w+/(common|data|parts|shell)\\.json'),
              priority: 2,
            },
            // Signing in, signing up, and a forgotten password.
            { name: 'entry', test: path('~/console/screens/login/'), minShareCount: 2, priority: 1.5 },
            // Modules of lists and forms. Code that two screens share is bundled with these.
            {
              name: 'parts',
              test: path(
                '~/console/(?!screens/(?!(channels|users|wallet)/|tokens/expiry-field))',
                '~/core/(?!models/)',
                '/node_modules/',
              ),
              minShareCount: 2,
              priority: 1,
            },
            {
              name: (id: string) => `of-${/[\\/]screens[\\/](\w+)/.exec(id)?.[1]}`,
              test: path('~/console/screens/'),
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})
