import { render } from 'ink-testing-library'
import { describe, expect, it } from 'vitest'
import { asUntranslatedText } from '../../cli/language.ts'
import { pressFormKey, startTerminalForm, type FormAnswers, type FormQuestion } from '../../cli/parts/form-state.ts'
import { listChangedFields, pressFieldListKey, startFieldList } from '../../cli/parts/field-list-state.ts'
import { FieldListView } from '../../cli/parts/field-list.tsx'
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
const toChoice = (value: string) => ({ value, label: asUntranslatedText(value) })
const refuseLetters = (text: string) => (/^\d+$/.test(text) ? undefined : asUntranslatedText('Digits only'))
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

describe('all fields in a list', () => {
  const SAVE = '\u0013'
  const fields: FormQuestion[] = [
    { name: 'name', label: asUntranslatedText('Name'), kind: 'text', initial: 'main' },
    { name: 'weight', label: asUntranslatedText('Weight'), kind: 'text', initial: '1', check: refuseLetters },
    { name: 'enabled', label: asUntranslatedText('Enabled'), kind: 'yes_no', initial: 'yes' },
    { name: 'way', label: asUntranslatedText('Way'), kind: 'choice', initial: 'b', choices: ['a', 'b'].map(toChoice) },
  ]
  const press = (keys: string) => parseKeyPresses(keys).reduce(pressFieldListKey, startFieldList(fields))
  const saved = (keys: string) => {
    const list = press(keys + SAVE)
    return [list.status, listChangedFields(list)]
  }

  it('saves what was changed, and nothing else', () => {
    expect(saved(`${ENTER}\u0015other${ENTER}`)).toEqual(['saved', { name: 'other' }])
    expect(saved(`e /wei${ENTER}${ENTER}\u00157${ENTER}`)).toEqual(['saved', { enabled: 'no', weight: '7' }])
    expect(saved(`/way${ENTER}${ENTER}${DOWN}${ENTER}`)).toEqual(['saved', { way: 'a' }])
    expect(saved(`${ENTER}!`)).toEqual(['saved', { name: 'main!' }])
    expect(press(SAVE)).toMatchObject({ status: 'open', problem: { en: 'Nothing was changed.' } })
  })

  it('does not take a wrong value, and gives the stored one back', () => {
    const wrong = press(`w${ENTER}x${ENTER}`)
    expect([wrong.field?.problem?.en, wrong.answers.weight]).toEqual(['Digits only', '1'])
    expect(saved(`w${ENTER}\u00157${ENTER}\u007F`)).toEqual(['open', {}])
    expect(saved(`${ENTER}other\u001B`)).toEqual(['open', {}])
  })

  it('moves by arrows, letters and a search', () => {
    const at = (keys: string) => press(keys).at
    expect([at(DOWN), at('w'), at('ww'), at('www'), at('z'), at('\u001B[F')]).toEqual([1, 1, 3, 1, 0, 3])
    expect([at('/way'), at('/w\t'), at('/way\u001B'), at('/nothing')]).toEqual([3, 3, 0, 0])
  })

  it('asks before changes are lost', () => {
    const changed = `${ENTER}!${ENTER}`
    expect([press('\u001B').status, press('\u0003').status]).toEqual(['cancelled', 'cancelled'])
    expect(press(`${changed}\u001B`).status).toBe('leaving')
    expect(press(`${changed}\u001Bn`)).toMatchObject({ status: 'open', answers: { name: 'main!' } })
    expect(press(`${changed}\u001Bd`).status).toBe('cancelled')
    expect(press(`${changed}\u001Bs`).status).toBe('saved')
  })

  it('fits the terminal, and shows the current field with its value', () => {
    const many = Array.from({ length: 40 }, (_, at): FormQuestion => {
      const label = asUntranslatedText(`Field ${at} of a channel with a long name`)
      return { name: `f${at}`, label, kind: 'text', initial: '渠道 '.repeat(60), hint: asUntranslatedText('help') }
    })
    for (const [columns, rows] of [
      [80, 24],
      [120, 40],
      [60, 20],
    ] as const)
      for (const keys of ['', '\u001B[F', '\u001B[F\r!', '\r!\r\u001B']) {
        const state = parseKeyPresses(keys).reduce(pressFieldListKey, startFieldList(many))
        const room = { room: rows - 3, width: Math.min(columns, 100) - 2 }
        const { lastFrame, unmount } = render(<FieldListView title="edit: main" state={state} {...room} />)
        const lines = (lastFrame() ?? '').split('\n')
        unmount()
        expect(lines.length, `${rows} ${keys}`).toBeLessThanOrEqual(rows - 3)
        expect(lines.some((line) => line.startsWith('❯') && line.includes(`Field ${state.at} `))).toBe(true)
      }
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
