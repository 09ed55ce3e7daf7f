// A reference page and the pieces of Markdown it is made of.
import type { Language } from '../../core/errors.ts'
import type { Entry } from '../command.ts'
import type { Said } from '../language.ts'

/** The pages by their topics. They are loaded when one is asked for: together they know every declaration. */
export const topics = ['endpoints', 'settings', 'configuration', 'errors', 'commands'] as const

export interface Page {
  topic: (typeof topics)[number]
  summary: Said
  /** The whole page as Markdown. */
  write(commands: readonly Entry[], language: Language): string
}

/** A Markdown table. */
export function markdownTable(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(titles), `| ${titles.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** Text as code, whatever stands in it. */
export const code = (text: string) => (text === '' ? '' : text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

const cell = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
