// The styles of a component reach its own elements only: what a row, a panel or a card holds keeps its own looks, whichever
// component is put into it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/sources.ts'

const folder = join(root, 'console')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))

/** Text that a person or a model wrote has elements and no classes. */
const WRITTEN = /^\.(rich-text|markdown-text|hljs-meta)\b|\.rich-text p$/
/** The theme is of the whole page, and a default gives way to every rule of the component itself. */
const OF_ALL = /^(html body|:where\([^()]*\) )/

/** Every selector of a style sheet; those of key frames are none. */
function readSelectors(css: string): string[] {
  const rules = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)
  return [...rules]
    .map(([, rule = '']) => rule.trim())
    .filter((rule) => !/^@|^(from|to|\d+%)/.test(rule))
    .flatMap((rule) => rule.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim().replaceAll(/\s+/g, ' '))
}

/** The parts of a selector that descendant combinators separate; what is in parentheses is no part of its own. */
const splitDescendants = (selector: string): string[] => {
  const flat = selector.replaceAll(/\([^()]*\)/g, (inside) => inside.replaceAll(' ', ''))
  return flat.replaceAll(/ ?([>+~]) ?/g, '$1').split(' ')
}

const sheets = files.map((file) => ({ file, selectors: readSelectors(readFileSync(join(folder, file), 'utf8')) }))

/** The style sheet that gives a class its own looks; undefined if several do, or none. */
function findOwner(name: string): string | undefined {
  const own = new RegExp(`^\\.${name}(?![\\w-])[^ >+~]*$`)
  const owners = sheets.filter(({ selectors }) => selectors.some((selector) => own.test(selector)))
  return owners.length === 1 ? owners[0]!.file : undefined
}

it('styles of a component reach nothing that is put into it', () => {
  expect(sheets.flatMap(({ selectors }) => selectors).length).toBeGreaterThan(500)
  const reaching = sheets.flatMap(({ file, selectors }) =>
    selectors
      .filter((selector) => !file.startsWith('parts-page') && !WRITTEN.test(selector) && !OF_ALL.test(selector))
      .filter((selector) =>
        splitDescendants(selector)
          .slice(1)
          .some((part) => {
            const name = /^\.([\w-]+)/.exec(part)?.[1]
            return name === undefined || findOwner(name) !== file
          }),
      )
      .map((selector) => `${file}: ${selector}`),
  )
  expect(reaching).toEqual([])
})
