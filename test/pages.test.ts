// The links, headings, commands and pictures of the pages exist.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['bin', 'cli', 'console', 'core', 'docs', 'examples', 'http', 'migrations', 'test']

const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)

const pages = [...readdirSync(root).filter((name) => name.endsWith('.md')), ...FOLDERS.flatMap(below)]
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The names by which links reach the headings of a page, as GitHub makes them. */
const listAnchors = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe('every page', () => {
  it('links only to pages, files and headings that exist', () => {
    const lost = pages.flatMap((page) => {
      const links = [...textOf(page).matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, link = '']) => link)
      const local = links.filter((link) => !/^[a-z]+:/.test(link))
      return local.flatMap((link) => {
        const [path, anchor] = link.split('#')
        const target = path ? join(dirname(page), path) : page
        const exists = existsSync(join(root, target))
        const found = exists && (!anchor || !target.endsWith('.md') || listAnchors(target).includes(anchor))
        return found ? [] : [`${page}: ${link}`]
      })
    })
    expect(lost).toEqual([])
  })

  it('has only commands that run here: scripts of package.json, and programs that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const commands = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\b(npm run|npx tsx)\s+([\w:./-]*\w)/g)].map(([, tool = '', name = '']) => ({
        page,
        tool,
        name,
      })),
    )
    const lost = commands.filter(({ tool, name }) =>
      tool === 'npm run' ? scripts[name] === undefined : !existsSync(join(root, name)),
    )
    expect(lost).toEqual([])
    expect(commands.length).toBeGreaterThan(20)
  })
})

describe('the pictures of the pages', () => {
  /** All of them load with README.md. Unit: bytes. */
  const LARGEST = 150_000
  const pictures = readdirSync(join(root, 'docs/pictures')).map((name) => `docs/pictures/${name}`)

  it('are each shown in README.md, and light', () => {
    const shown = [...textOf('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path)
    expect(pictures.filter((path) => !shown.includes(path))).toEqual([])
    expect(pictures.filter((path) => statSync(join(root, path)).size > LARGEST)).toEqual([])
  })
})
