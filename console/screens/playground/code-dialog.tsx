// The code of a program that makes the next call.
import { useState } from 'react'
import { buildChatCode, CHAT_CODE_LANGUAGES, type CodeLanguage } from '../../../core/tokens/chat-code.ts'
import { PLACEHOLDER_KEY } from '../../../core/tokens/guides.ts'
import { useServerAddress } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { RadioRow } from '../../parts/form/radio-row.tsx'
import { buildLaneMessages, type PlaygroundConversation } from './conversation.ts'

export function RequestCodeDialog({
  conversation,
  onClose,
}: {
  conversation: PlaygroundConversation
  onClose(): void
}) {
  const t = useText()
  const address = useServerAddress()
  const [language, setLanguage] = useState<CodeLanguage>('curl')
  const { options } = conversation
  const next = { id: 'next', text: t('Hello'), pictures: [], answers: [] }
  const isNew = conversation.turns.every(({ greeting }) => greeting)
  const last = isNew ? next : conversation.turns.at(-1)!
  const previewed = isNew ? { ...conversation, turns: [next] } : conversation
  const call = {
    model: options.models[0] ?? '',
    messages: buildLaneMessages(previewed, last.id, 0),
    stream: true,
    ...(options.temperature > 0 ? { temperature: options.temperature } : {}),
    ...(options.max_tokens > 0 ? { max_tokens: options.max_tokens } : {}),
  }
  return (
    <ModalDialog wide title={t('View code')} onClose={onClose}>
      <div className="playground-code">
        <p className="hint">
          {t('The next call as a program would make it, with an API token instead of your session.')}
        </p>
        <RadioRow
          label={t('View code')}
          value={language}
          onChange={(name) => setLanguage(name as CodeLanguage)}
          options={CHAT_CODE_LANGUAGES.map((value) => ({ value, label: value }))}
        />
        <CodeBlock
          label={t('code in {language}', { language })}
          head={language}
          text={buildChatCode(language, { key: PLACEHOLDER_KEY, address }, call)}
        />
      </div>
    </ModalDialog>
  )
}
