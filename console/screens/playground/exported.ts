// Saves a conversation as a file.
import { fillPhrase } from '../../data/texts.tsx'
import { saveFile } from '../../data/download.ts'
import { buildMessages, type Answer, type Conversation } from './conversation.ts'
import type { words } from './texts.ts'

type T = Record<keyof (typeof words)['en'], string>

export function exportMarkdown(conversation: Conversation, t: T): void {
  saveFile(new Blob([formatMarkdown(conversation, t)], { type: 'text/markdown' }), `${fileName(conversation)}.md`)
}

/** Saves all facts about each answer, and the messages as they were sent to the first model. */
export function exportJson(conversation: Conversation): void {
  const { name, changed, options, turns } = conversation
  const last = turns.at(-1)
  const messages = last ? buildMessages(conversation, last.id, 0) : []
  const text = JSON.stringify({ name, changed: new Date(changed).toISOString(), options, turns, messages }, null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), `${fileName(conversation)}.json`)
}

/** Returns a name that every file system accepts. */
const fileName = ({ name }: Conversation): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'conversation'

export function formatMarkdown({ name, options, turns }: Conversation, t: T): string {
  const parts = [`# ${name || t.title}`]
  if (options.system.trim()) parts.push(`## ${t.system}`, options.system.trim())
  for (const turn of turns) {
    parts.push(`## ${t.user}`, turn.text, ...turn.pictures.map((url) => `![${t.picture}](${url})`))
    for (const answer of turn.answers)
      parts.push(`## ${t.assistant} · ${answer.model || t.assistant}`, ...formatAnswer(answer, t))
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const formatAnswer = ({ text, reasoning, tools, pictures, failure }: Answer, t: T): string[] => [
  ...(reasoning ? [`> ${t.reasoning}\n>\n${reasoning.replace(/^/gm, '> ')}`] : []),
  text,
  ...pictures.map((url) => `![${t.picture}](${url})`),
  ...tools.map((tool) => `${fillPhrase(t.toolCall, { name: tool.name })}\n\n\`\`\`json\n${tool.arguments}\n\`\`\``),
  ...(failure ? [failure.message] : []),
]
