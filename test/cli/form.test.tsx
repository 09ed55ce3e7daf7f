import { render } from 'ink-testing-library'
import { describe, expect, it } from 'vitest'
import { asUntranslatedText } from '../../cli/language.ts'
import { pressFormKey, startTerminalForm, type FormAnswers, type FormQuestion } from '../../cli/parts/form-state.ts'
import { TerminalForm } from '../../cli/parts/form.tsx'
import { parseKeyPresses } from '../../cli/parts/keys.ts'
import { until } from '../support/terminal.ts'

const questions: FormQuestion[] = [
  {
    name: 'type',
    label: asUntranslatedText('Type'),
    kind: 'choice',
    choices: [
      { value: 'openai', label: asUntranslatedText('OpenAI') },
      { value: 'sandbox', label: asUntranslatedText('Sandbox') },
    ],
  },
  {
    name: 'key',
    label: asUntranslatedText('Key'),
    kind: 'secret',
    when: ({ type }) => type !== 'sandbox',
    check: (text) => (text ? undefined : asUntranslatedText('A key is needed')),
  },
  { name: 'name', label: asUntranslatedText('Name'), kind: 'text', initial: ({ type }) => `my ${type}` },
  { name: 'sure', label: asUntranslatedText('Sure?'), kind: 'yes_no', initial: 'no' },
]
const type = (keys: string, asked = questions) => parseKeyPresses(keys).reduce(pressFormKey, startTerminalForm(asked))
const ENTER = '\r'
const DOWN = '\u001B[B'

describe('a form', () => {
  it('collects answers, and leaves out what does not apply', () => {
    expect(type(`${DOWN}${ENTER}${ENTER}y${ENTER}`)).toMatchObject({
      status: 'done',
      answers: { type: 'sandbox', name: 'my sandbox', sure: 'yes' },
    })
  })

  it('filters a choice by typing', () => {
    expect(type(`sand${ENTER}`).answers).toEqual({ type: 'sandbox' })
    expect(type(`zzz${ENTER}`)).toMatchObject({ problem: { en: 'Nothing matches: delete some letters' }, answers: {} })
  })

  it('does not go on with a bad answer', () => {
    expect(type(`${ENTER}${ENTER}`)).toMatchObject({ index: 1, problem: { en: 'A key is needed' } })
    expect(type(`${ENTER}${ENTER}k`).problem).toBeUndefined()
  })

  it('goes back with Esc and keeps the answers', () => {
    const back = type(`${ENTER}secret${ENTER}\u001B`)
    expect(back).toMatchObject({ index: 1, answers: { key: 'secret' } })
    expect(back.field.text.join('')).toBe('secret')
  })

  it('edits in the middle of a line', () => {
    const only: FormQuestion[] = [{ name: 'name', label: asUntranslatedText('Name'), kind: 'text' }]
    expect(type(`abd\u001B[D${'c'}\u001B[F!\u007F?${ENTER}`, only).answers).toEqual({ name: 'abcd?' })
    expect(type(`wrong\u0015right${ENTER}`, only).answers).toEqual({ name: 'right' })
    expect(type(`渠道\u007F道${ENTER}`, only).answers).toEqual({ name: '渠道' })
  })

  it('takes what is offered where nothing is typed, and only then', () => {
    const only: FormQuestion[] = [{ name: 'name', label: asUntranslatedText('Name'), kind: 'text', fallback: 'root' }]
    expect(type(ENTER, only).answers).toEqual({ name: 'root' })
    expect(type(`ada${ENTER}`, only).answers).toEqual({ name: 'ada' })
  })

  it('ends with Ctrl+C', () => {
    expect(type('\u0003').status).toBe('cancelled')
  })

  it('keeps what was typed ahead for the next form', () => {
    const only: FormQuestion[] = [{ name: 'name', label: asUntranslatedText('Name'), kind: 'text' }]
    expect(type(`a${ENTER}b${ENTER}`, only)).toMatchObject({
      answers: { name: 'a' },
      rest: [{ character: 'b' }, 'enter'],
    })
  })
})

describe('the drawn form', () => {
  it('masks a secret, shows a hint, and reports once', async () => {
    const ends: (FormAnswers | null)[] = []
    const { stdin, lastFrame, frames, unmount } = render(
      <TerminalForm title="New channel" questions={questions} onEnd={(answers) => ends.push(answers)} />,
    )
    await until(() => (lastFrame() ?? '').includes('❯ OpenAI'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    stdin.write(ENTER)
    await until(() => (lastFrame() ?? '').includes('? Key'))
    stdin.write('sk-secret')
    await until(() => (lastFrame() ?? '').includes('•••••••••'))
    stdin.write(ENTER)
    await until(() => (lastFrame() ?? '').includes('my openai'))
    stdin.write(`${ENTER}${ENTER}`)
    await until(() => ends.length > 0)
    expect(ends).toEqual([{ type: 'openai', key: 'sk-secret', name: 'my openai', sure: 'no' }])
    expect(frames.join('\n')).not.toContain('sk-secret')
    unmount()
  })

  it('reports nothing where the person leaves', async () => {
    const ends: (FormAnswers | null)[] = []
    const { stdin, lastFrame, unmount } = render(
      <TerminalForm questions={questions} onEnd={(answers) => ends.push(answers)} />,
    )
    await until(() => (lastFrame() ?? '').includes('Type'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    stdin.write('\u0003')
    await until(() => ends.length > 0)
    expect(ends).toEqual([null])
    unmount()
  })
})
