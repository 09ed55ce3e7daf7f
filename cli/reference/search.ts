// Search in the reference pages, in either language.
import type { Language } from '../../core/errors.ts'
import type { CommandEntry } from '../command.ts'
import type { ReferencePage } from './page.ts'

export interface ReferenceHit {
  topic: ReferencePage['topic']
  /** The heading above the line. */
  heading: string
  /** The line of the page, counted from 1. */
  line: number
  text: string
  /** The command that shows it. */
  command: string
}

/**
 * Returns lines in `language` that contain all words of `wanted`, including those that match only in the other
 * language. Headings come first; then the order of the pages, with commands before endpoints.
 */
export const searchReferencePages = (
  pages: readonly ReferencePage[],
  terms: string,
  commands: readonly CommandEntry[],
  language: Language,
): ReferenceHit[] =>
  pages
    .flatMap((page) => searchPage(page, terms.toLowerCase().split(/\s+/).filter(Boolean), commands, language))
    .toSorted((a, b) => Number(b.text === b.heading) - Number(a.text === a.heading))

function searchPage(
  page: ReferencePage,
  terms: readonly string[],
  commands: readonly CommandEntry[],
  language: Language,
): ReferenceHit[] {
  const { topic } = page
  const own = page.write(commands, language).split('\n')
  // A page has the same lines in both languages.
  const other = page.write(commands, language === 'en' ? 'zh' : 'en').split('\n')
  const hits: ReferenceHit[] = []
  let heading = ''
  for (const [at, line] of own.entries()) {
    const text = plain(line)
    if (line.startsWith('#')) heading = text
    const both = `${text} ${plain(other[at] ?? '')}`.toLowerCase()
    if (text !== '' && terms.every((word) => both.includes(word)))
      hits.push({ topic, heading, line: at + 1, text, command: commandFor(topic, heading) })
  }
  return hits
}

/** Removes Markdown syntax. */
const plain = (line: string): string =>
  /^\|[\s|-]*\|$|^```/.test(line)
    ? ''
    : line
        .replace(/^#+ /, '')
        .replace(/^\| | \|$/g, '')
        .replace(/(?<!\\) \| /g, ' · ')
        .replace(/\\([|<])/g, '$1')
        .replace(/`/g, '')
        .trim()

function commandFor(topic: ReferencePage['topic'], heading: string): string {
  const [, path] = /^(weir( [a-z-]+)+)/.exec(heading) ?? []
  return topic === 'commands' && path ? `${path} --help` : `weir docs ${topic}`
}
