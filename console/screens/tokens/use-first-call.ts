// Waits for calls of one token, and can send one from this page.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { firstBody } from '../../../core/tokens/guides.ts'
import type { Token } from '../../../core/tokens/token.ts'
import { toAddress } from '../../data/base.ts'
import { followLog } from '../../data/follow.ts'
import { currentLanguage } from '../../data/texts.tsx'

/** The result of a call that was sent from this page. */
export type SentCall =
  | { state: 'sending' }
  | { state: 'answered'; ms: number; text: string }
  | { state: 'refused'; status: number; code: string; message: string }

export interface FirstCallState {
  /** The latest call of the token since the wait began. */
  row: LogEntry | undefined
  sent: SentCall | undefined
  /** Why the log cannot be followed; undefined if it can. */
  logError: string | undefined
  send(model: string): Promise<void>
}

/** `key` includes its prefix. */
export function useFirstCall({ id, name }: Pick<Token, 'id' | 'name'>, key: string): FirstCallState {
  const [row, setRow] = useState<LogEntry>()
  const [sent, setSent] = useState<SentCall>()
  const [deaf, setDeaf] = useState<string>()
  const sending = useRef<AbortController>(undefined)
  useEffect(
    () =>
      followLog({
        endpoint: 'streamSelf',
        filter: { token_name: name },
        // Several tokens may have the same name.
        onRow: (entry) => entry.token_id === id && setRow(entry),
        onState: (now) => setDeaf(typeof now === 'object' ? now.refused : undefined),
      }),
    [id, name],
  )
  useEffect(() => () => sending.current?.abort(), [])
  const send = useCallback(
    async (model: string) => {
      sending.current?.abort()
      const ending = (sending.current = new AbortController())
      setRow(undefined)
      setSent({ state: 'sending' })
      const outcome = await firstAnswer(key, model, ending.signal)
      if (!ending.signal.aborted) setSent(outcome)
    },
    [key],
  )
  return { row, sent, logError: deaf, send }
}

interface ChatAnswer {
  choices?: { message?: { content?: unknown } }[]
  error?: { message?: string; code?: unknown }
}

/** Calls the gateway as any client would: at the relay endpoint, with only the key. */
async function firstAnswer(key: string, model: string, signal: AbortSignal): Promise<SentCall> {
  const began = performance.now()
  try {
    const response = await fetch(toAddress('/v1/chat/completions'), {
      method: 'POST',
      signal,
      credentials: 'omit',
      cache: 'no-store',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'accept-language': currentLanguage(),
      },
      body: JSON.stringify(firstBody(model)),
    })
    const { status } = response
    const answer = (await response.json()) as ChatAnswer
    if (!response.ok)
      return { state: 'refused', status, code: String(answer.error?.code ?? ''), message: answer.error?.message ?? '' }
    const text = answer.choices?.[0]?.message?.content
    return { state: 'answered', ms: performance.now() - began, text: typeof text === 'string' ? text : '' }
  } catch (error) {
    return { state: 'refused', status: 0, code: '', message: String(error) }
  }
}
