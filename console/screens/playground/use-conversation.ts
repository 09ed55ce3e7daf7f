// The open conversation, and the other stored ones. A conversation is stored after its first prompt.
import { useCallback, useEffect, useRef, useState } from 'react'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useUrlState } from '../../data/use-paging.ts'
import { getTranslate, type Translate, useText } from '../../data/texts.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import {
  endOpenAnswers,
  type PlaygroundConversation,
  type PlaygroundOptions,
  type SetPlaygroundOptions,
  type ConversationTurn,
} from './conversation.ts'
import { deleteConversation, listHeads, storeConversation, loadConversation, type ConversationHead } from './kept.ts'

/** Interval at which a conversation is stored while answers stream, in ms. */
const KEEP_EVERY = 1000

type ChangeConversation = (old: PlaygroundConversation) => PlaygroundConversation

export interface OpenConversation {
  conversation: PlaygroundConversation
  heads: readonly ConversationHead[]
  change(change: ChangeConversation): void
  setOptions: SetPlaygroundOptions
  open(id: string): void
  begin(): void
  rename(name: string): void
  remove(): Promise<void>
}

export function useConversation(): OpenConversation {
  const t = useText()
  const userId = useSignedInUser().user?.id ?? 0
  const [{ c: id }, setPlace] = useUrlState({ c: '' })
  const blank = useCallback(
    (options: PlaygroundOptions): PlaygroundConversation => ({
      id: crypto.randomUUID(),
      user_id: userId,
      name: '',
      changed: Date.now(),
      options,
      turns: [buildGreeting(t)],
    }),
    [userId, t],
  )
  const [conversation, setConversation] = useState(() =>
    blank({ group: '', models: [''], temperature: 0, max_tokens: 0, system: t('You are a helpful assistant.') }),
  )
  const [heads, setHeads] = useState<readonly ConversationHead[]>([])
  const current = useRef(conversation)
  current.current = conversation
  // Changes before the next rendering build on it.
  const show = useCallback((next: PlaygroundConversation) => {
    current.current = next
    setConversation(next)
  }, [])
  const failed = useCallback(
    (error: unknown) =>
      showNotice.error(t('The conversation could not be stored in this browser: {why}', { why: String(error) })),
    [t],
  )

  // Until the first prompt, it is in the language of the page.
  useEffect(() => {
    const { turns, options } = current.current
    if (isBegun(current.current)) return
    const system = isHelpful(options.system) ? t('You are a helpful assistant.') : options.system
    show({ ...current.current, turns: turns.map(() => buildGreeting(t)), options: { ...options, system } })
  }, [t, show])
  useEffect(() => void listHeads(userId).then(setHeads, failed), [userId, failed])
  useEffect(() => {
    if (id === current.current.id) return
    if (id === '') return isBegun(current.current) ? show(blank(current.current.options)) : undefined
    void loadConversation(id, userId).then(
      (found) => (found ? show(endOpenAnswers(found)) : setPlace({ c: '' })),
      failed,
    )
  }, [id, userId, blank, show, setPlace, failed])

  const [unkept, setUnkept] = useState(false)
  useEffect(() => {
    if (!unkept) return
    const timer = setTimeout(() => {
      setUnkept(false)
      void storeConversation(current.current).then(setHeads, failed)
    }, KEEP_EVERY)
    return () => clearTimeout(timer)
  }, [unkept, failed])

  const change = useCallback(
    (update: ChangeConversation) => {
      const updated = update(current.current)
      if (updated === current.current) return
      const next = { ...updated, changed: Date.now() }
      show(next)
      if (!isBegun(next)) return
      setUnkept(true)
      if (new URLSearchParams(window.location.search).get('c') !== next.id) setPlace({ c: next.id })
    },
    [show, setPlace],
  )
  return {
    conversation,
    heads,
    change,
    setOptions: (update) =>
      change((old) => {
        const options = update(old.options)
        return options === old.options ? old : { ...old, options }
      }),
    open: (conversationId) => setPlace({ c: conversationId }),
    begin: () => {
      show(blank(conversation.options))
      setPlace({ c: '' })
    },
    rename: (name) => change((old) => ({ ...old, name })),
    remove: async () => {
      const gone = current.current
      await runWithUndo({
        message: t('{name} deleted', { name: gone.name }),
        act: async () => {
          await deleteConversation(gone.id)
          setHeads((old) => old.filter((head) => head.id !== gone.id))
          show(blank(gone.options))
          setPlace({ c: '' })
        },
        back: async () => setHeads(await storeConversation(gone)),
      })
    },
  }
}

function buildGreeting(t: Translate): ConversationTurn {
  const answer = {
    model: '',
    state: 'complete' as const,
    text: t('Hello, how can I help you?'),
    reasoning: '',
    pictures: [],
    tools: [],
  }
  return { id: crypto.randomUUID(), text: t('Hello'), pictures: [], answers: [answer], greeting: true }
}

/** Returns whether a system prompt is the default, in a language that this page has loaded. */
const isHelpful = (system: string) =>
  [getTranslate('en'), getTranslate('zh')].some((t) => t('You are a helpful assistant.') === system)

/** Returns whether the conversation has a prompt or a name. */
const isBegun = ({ turns, name }: PlaygroundConversation) => name !== '' || turns.some(({ greeting }) => !greeting)
