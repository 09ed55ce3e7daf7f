// Sends a chat again, with a body that can be changed before, in the name of the signed-in user.
import { useState } from 'react'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { toServerAddress } from '../../data/base.ts'
import { storedPreferences } from '../../data/preferences.ts'
import { getCurrentLanguage, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { Button, TextArea } from '../../semi.ts'
import type { CallRequest } from './call-request.ts'

interface Props {
  entry: Pick<LogEntry, 'group' | 'model_name'>
  request: CallRequest
  onClose(): void
}

interface Answer {
  status: number
  /** Duration in ms. */
  ms: number
  text: string
  request_id: string
}

export function CallAgainDialog({ entry, request, onClose }: Props) {
  const t = useText()
  const format = useFormat()
  const [body, setBody] = useState(() =>
    JSON.stringify({ ...request.body, stream: false, group: entry.group }, null, 2),
  )
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [sending, setSending] = useState(false)
  const isJson = isObjectText(body)
  const send = async () => {
    setSending(true)
    setAnswer(null)
    setAnswer(await sendChat(body))
    setSending(false)
  }
  return (
    <ModalDialog
      title={t('Send a call of {model} again', { model: entry.model_name })}
      wide
      onClose={onClose}
      onSubmit={() => void send()}
      foot={
        <>
          <Button type="tertiary" onClick={onClose}>
            {t('Close')}
          </Button>
          <Button htmlType="submit" theme="solid" loading={sending} disabled={!isJson}>
            {t('Send')}
          </Button>
        </>
      }
    >
      <InlineNote>
        {t('The content of calls is not stored. Replace the placeholder; the new call is charged to your account.')}
      </InlineNote>
      <TextArea className="mono" aria-label={t('Body of the request')} autosize value={body} onChange={setBody} />
      {!isJson && <p className="field-error">{t('This is not a JSON object.')}</p>}
      {answer && (
        <div className="call-answer" role="status">
          <span className="tags">
            <StateTag color={answer.status < 300 ? 'green' : 'red'}>{String(answer.status)}</StateTag>
            <StateTag color="white">{format.duration(answer.ms)}</StateTag>
          </span>
          <CodeBlock label={t('Answer')} head={answer.request_id} text={answer.text} />
        </div>
      )}
    </ModalDialog>
  )
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

async function sendChat(body: string): Promise<Answer> {
  const began = performance.now()
  try {
    const response = await fetch(toServerAddress('/pg/chat/completions'), {
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        'New-Api-User': String(storedPreferences.user.read()?.id ?? -1),
        'Accept-Language': getCurrentLanguage(),
        'Content-Type': 'application/json',
      },
      body,
    })
    const text = await response.text()
    return {
      status: response.status,
      ms: performance.now() - began,
      text: indentJson(text),
      request_id: response.headers.get('x-oneapi-request-id') ?? '',
    }
  } catch (error) {
    return { status: 0, ms: performance.now() - began, text: String(error), request_id: '' }
  }
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
