// Every phrase that the console has in two languages, found in the catalogues and the declared fields.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, sources } from '../../support/sources.ts'
import { readCatalogues } from '../catalogues.ts'

export interface Said {
  en: string
  zh: string
  /** Where it stands: a file and the name in it. */
  at: string
}

const FIELDS = /^core\/[a-z]+\/[a-z-]*fields\.data\.ts$/

/** All of them, each with its place. */
export async function allPhrases(): Promise<Said[]> {
  // A key is the English text, and behind `_` the context that it is translated in.
  const found: Said[] = Object.entries(readCatalogues('zh')).flatMap(([room, catalogue]) =>
    Object.entries(catalogue).map(([key, zh]) => ({ en: key.replace(/_[a-z]+$/, ''), zh, at: `${room}.json` })),
  )
  for (const file of sources.filter((each) => FIELDS.test(each))) {
    const module = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) collect(value, `${file}: ${name}`, found)
  }
  return found
}

function collect(value: unknown, at: string, found: Said[], depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 6) return
  const { en, zh } = value as { en?: unknown; zh?: unknown }
  if (typeof en === 'string' && typeof zh === 'string') found.push({ en, zh, at })
  else if (isWords(en) && isWords(zh)) {
    for (const [key, phrase] of Object.entries(en)) found.push({ en: phrase, zh: zh[key] ?? '', at: `${at}.${key}` })
  } else for (const [key, each] of Object.entries(value)) collect(each, `${at}.${key}`, found, depth + 1)
}

const isWords = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string')

/** Folders of screens, each with its declaration. */
export const screenFolders = (): string[] =>
  readdirSync(join(root, 'console/screens'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => sources.includes(`console/screens/${name}/screen.ts`))
