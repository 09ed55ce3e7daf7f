// Saves a conversation as a file.
import { saveContentFile } from '../../data/download.ts'
import { type Translate } from '../../data/texts.tsx'
import { buildLaneMessages, type PlaygroundAnswer, type PlaygroundConversation } from './conversation.ts'

export function exportMarkdown(conversation: PlaygroundConversation, t: Translate): void {
  saveContentFile(
    new Blob([formatMarkdown(conversation, t)], { type: 'text/markdown' }),
    `${fileName(conversation)}.md`,
  )
}

/** Saves all facts about each answer, and the messages as they were sent to the first model. */
export function exportJson(conversation: PlaygroundConversation): void {
  const { name, changed, options, turns } = conversation
  const last = turns.at(-1)
  const messages = last ? buildLaneMessages(conversation, last.id, 0) : []
  const text = JSON.stringify({ name, changed: new Date(changed).toISOString(), options, turns, messages }, null, 2)
  saveContentFile(new Blob([text], { type: 'application/json' }), `${fileName(conversation)}.json`)
}

/** Returns a name that every file system accepts. */
const fileName = ({ name }: PlaygroundConversation): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'conversation'

export function formatMarkdown({ name, options, turns }: PlaygroundConversation, t: Translate): string {
  const parts = [`# ${name || t('Playground')}`]
  if (options.system.trim()) parts.push(`## ${t('System prompt')}`, options.system.trim())
  for (const turn of turns) {
    parts.push(`## ${t('User')}`, turn.text, ...turn.pictures.map((url) => `![${t('Picture')}](${url})`))
    for (const answer of turn.answers)
      parts.push(`## ${t('Assistant')} · ${answer.model || t('Assistant')}`, ...formatAnswer(answer, t))
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const formatAnswer = ({ text, reasoning, tools, pictures, failure }: PlaygroundAnswer, t: Translate): string[] => [
  ...(reasoning ? [`> ${t('Reasoning')}\n>\n${reasoning.replace(/^/gm, '> ')}`] : []),
  text,
  ...pictures.map((url) => `![${t('Picture')}](${url})`),
  ...tools.map((tool) => `${t('Calls the tool {name}', { name: tool.name })}\n\n\`\`\`json\n${tool.arguments}\n\`\`\``),
  ...(failure ? [failure.message] : []),
]
