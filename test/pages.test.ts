// What the pages for readers say is there: paths, links, and the sections that comments name.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['bin', 'cli', 'console', 'core', 'docs', 'examples', 'http', 'migrations', 'test']

const below = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)

/** Written by people; pages that a program writes are checked where it is tested. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...FOLDERS.flatMap((folder) => below(folder, /(^|\/)README\.md$/)),
  ...below('docs', /\.md$/).filter((name) => !name.endsWith('README.md')),
]
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const NAMED_PATH = new RegExp(`^(${FOLDERS.join('|')}|\\.github|\\.ci)/[\\w./-]*[\\w/]$`)

describe.each(pages)('%s', (page) => {
  const text = textOf(page)

  it('names only paths that exist', () => {
    const named = [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => NAMED_PATH.test(path))
    // From the root, or from the page's own folder.
    const lost = named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(page), path)))
    expect(lost).toEqual([])
  })

  it('links only to pages that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = '']) => link)
    const lost = links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(page), link)))
    expect(lost).toEqual([])
  })
})

describe('README.md', () => {
  /** Whoever reads it loads all of them. Unit: bytes. */
  const LARGEST = 150_000

  it('shows six pictures of the console, none of them heavy', () => {
    const shown = [...textOf('README.md').matchAll(/!\[[^\]]+\]\((docs\/pictures\/[^)]+)\)/g)].map(
      ([, path = '']) => path,
    )
    expect(new Set(shown).size).toBe(6)
    expect(shown.filter((path) => statSync(join(root, path)).size > LARGEST)).toEqual([])
    // None lies there that nobody sees.
    expect(
      readdirSync(join(root, 'docs/pictures'))
        .map((name) => `docs/pictures/${name}`)
        .sort(),
    ).toEqual(shown.sort())
  })
})

describe('comments', () => {
  const sources = FOLDERS.flatMap((folder) => (folder === 'docs' ? [] : below(folder, /\.tsx?$/)))
  /** On one line, as a reader has it; this file says how it is written. */
  const comments = sources
    .filter((file) => file !== 'test/pages.test.ts')
    .map((file) => ({ file, text: textOf(file).replace(/\n\s*(\*|\/\/) +/g, ' ') }))
  /** `docs/billing.md, 4.1`, `docs/billing.md, 4, 5 and 11.3` or the page alone. */
  const NAMED = /docs\/([a-z-]+\.md)((?:(?:, | and | to )\d+(?:\.\d+)*)*)/g
  const named = comments.flatMap(({ file, text }) =>
    [...text.matchAll(NAMED)].map(([, page = '', list = '']) => ({
      file,
      page,
      sections: list.match(/[\d.]*\d/g) ?? [],
    })),
  )

  it('lead to a heading where they name a section of docs: `docs/billing.md, 4.1`', () => {
    const lost = named.flatMap(({ file, page, sections }) => {
      if (!existsSync(join(root, 'docs', page))) return [`${file}: ${page}`]
      const headings = [...textOf(`docs/${page}`).matchAll(/^#+ ([\d.]*\d)\.? /gm)].map(([, no]) => no)
      return sections.filter((section) => !headings.includes(section)).map((section) => `${file}: ${page}, ${section}`)
    })
    expect(lost).toEqual([])
    expect(named.filter(({ sections }) => sections.length > 0).length).toBeGreaterThan(30)
  })

  it('name no section of a page that readers do not have', () => {
    const elsewhere =
      /(?<!RFC \d+, )\b(sections? \d|(billing|relay|admin|admin API|options|channel|tasks?) reference\b)/i
    const lost = comments.flatMap(({ file, text }) => {
      const found = elsewhere.exec(text)
      return found ? [`${file}: ${text.slice(Math.max(0, found.index - 40), found.index + 40)}`] : []
    })
    expect(lost).toEqual([])
  })
})
