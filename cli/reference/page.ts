// The type of a reference page, and pieces of Markdown for it.
import type { Language } from '../../core/errors.ts'
import type { Entry } from '../command.ts'
import type { Said } from '../language.ts'

/** The topics of the pages. Each page is loaded on request, because together they load every declaration. */
export const topics = ['endpoints', 'settings', 'configuration', 'errors', 'commands'] as const

export interface Page {
  topic: (typeof topics)[number]
  summary: Said
  /** Returns the whole page as Markdown. */
  write(commands: readonly Entry[], language: Language): string
}

/** Formats a Markdown table. */
export function markdownTable(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(titles), `| ${titles.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** Formats any text as Markdown code. */
export const code = (text: string) => (text === '' ? '' : text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

const cell = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
