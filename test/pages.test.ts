// What the pages for readers say is there: paths, links, and the sections that comments name.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

describe('comments', () => {
  const sources = FOLDERS.flatMap((folder) => (folder === 'docs' ? [] : below(folder, /\.tsx?$/)))

  it('that name a page of docs, and a section of it, lead there: `docs/billing.md, section 4`', () => {
    const lost: string[] = []
    for (const file of sources) {
      for (const [, page = '', section] of textOf(file).matchAll(/docs\/([a-z-]+\.md)(?:,\s+section\s+([\d.]*\d))?/g)) {
        const there = existsSync(join(root, 'docs', page))
        const headings = there ? [...textOf(`docs/${page}`).matchAll(/^#+ ([\d.]*\d)\.? /gm)].map(([, no]) => no) : []
        if (!there || (section !== undefined && !headings.includes(section))) lost.push(`${file}: ${page} ${section}`)
      }
    }
    // This file says how it is written.
    expect(lost.filter((line) => !line.startsWith('test/pages.test.ts'))).toEqual([])
  })
})
