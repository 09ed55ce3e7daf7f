// The TypeScript blocks of README.md and docs/: programs compile, and files of the repository are shown as they are.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const PAGES = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const FENCE = /^```(?:ts|typescript)\n([^]*?)^```$/gm
/** A block that shows a file of the repository names it in its first line; `npm run check` compiles that file. */
const FILE_LINE = /^\/\/ ((?:[\w.-]+\/)+[\w.-]+\.ts)\n/

interface DocBlock {
  /** Page and line, for messages. */
  place: string
  text: string
  /** The file that the block shows, from the root; undefined for a program. */
  shownFile: string | undefined
}

const listBlocks = (page: string): DocBlock[] => {
  const markdown = readFileSync(join(root, page), 'utf8')
  return [...markdown.matchAll(FENCE)].map((match) => ({
    place: `${page}:${markdown.slice(0, match.index).split('\n').length}`,
    text: match[1] ?? '',
    shownFile: FILE_LINE.exec(match[1] ?? '')?.[1],
  }))
}

const blocks = PAGES.flatMap(listBlocks)

/** Returns the errors of these blocks, each with the page and line of its block. They are files of one program. */
async function compileBlocks(programs: readonly DocBlock[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-doc-blocks-'))
  try {
    const files = programs.map((_, at) => `block-${at}.ts`)
    for (const [at, file] of files.entries()) await writeFile(join(folder, file), programs[at]!.text)
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, files }))
    const command = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false']
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder }).catch(
      (failure: { stdout: string }) => failure,
    )
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^block-(\d+)\.ts/, (_, at: string) => programs[Number(at)]!.place))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Programs import the package by its name, and see what is published of it: the types of the last build. */
const config = {
  extends: join(root, 'test/tsconfig.json'),
  include: [],
  compilerOptions: {
    rootDir: '/',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    // Readers of a page use what a block declares.
    noUnusedLocals: false,
    paths: {
      'weir-gateway': [join(root, 'dist/core/index.d.ts')],
      'weir-gateway/http': [join(root, 'dist/http/index.d.ts')],
    },
  },
}

it('finds the blocks', () => {
  expect(blocks.map(({ place }) => place.split(':')[0])).toEqual(
    expect.arrayContaining(['README.md', 'docs/providers.md']),
  )
})

it('every block that is a program compiles', async () => {
  expect(await compileBlocks(blocks.filter(({ shownFile }) => shownFile === undefined))).toEqual([])
})

it('a block that shows a file of the repository shows it as it is', () => {
  const withoutHead = (text: string) => text.replace(/^(?:\/\/.*\n)+/, '').trim()
  const differing = blocks.filter(
    ({ shownFile, text }) =>
      shownFile !== undefined && withoutHead(readFileSync(join(root, shownFile), 'utf8')) !== withoutHead(text),
  )
  expect(differing.map(({ place, shownFile }) => `${place}: ${shownFile}`)).toEqual([])
})
