// The lists of fields of `weir ui`: they hold every field that the command of the page changes, and lose nothing.
import { describe, expect, it } from 'vitest'
import { commandSections } from '../../../cli/commands/index.ts'
import type { Command, CommandEntry } from '../../../cli/command.ts'
import { startFieldList } from '../../../cli/parts/field-list-state.ts'
import type { FormQuestion } from '../../../cli/parts/form-state.ts'
import { allPages } from '../../../cli/ui/pages/index.ts'
import type { AnyPage } from '../../../cli/ui/page.ts'
import { driverHere, portsIn } from './world.ts'

const ENTER = '\r'
const CLEAR = '\u0015'
const SAVE = '\u0013'
const ESCAPE = '\u001B'

const edits = allPages.flatMap((page) =>
  page.actions.filter((action) => action.edits).map((action) => ({ name: page.name, page, action })),
)

/** Flags of the commands that are no fields: other ways to choose, to add and to remove, and states with own keys. */
const NO_FIELDS: Record<string, readonly string[]> = {
  'channels edit': ['enable', 'disable', 'key-on', 'new-tag', 'add-models', 'remove-models', 'test'],
  'tokens edit': ['user'],
  'prices set': ['force', 'channel'],
  'settings set': [],
}

function findCommand([noun, verb]: readonly string[]): Command {
  const entries: readonly CommandEntry[] = commandSections.flatMap(({ commands }) => commands)
  const group = entries.find(({ name }) => name === noun)
  const found = group && 'commands' in group ? group.commands.find(({ name }) => name === verb) : undefined
  return found as Command
}

/** Another valid answer. */
function changeAnswer({ kind, choices }: FormQuestion, answer: string): string {
  if (kind === 'yes_no') return answer === 'yes' ? 'no' : 'yes'
  if (kind === 'choice') return (choices as { value: string }[]).find(({ value }) => value !== answer)!.value
  return `${answer}1`
}

const loadRow = async (page: AnyPage) => (await page.load(portsIn('en'), '')).rows.at(-1)!

it.each(edits)('$name: the list has every field of the command', async ({ page, action }) => {
  const row = await loadRow(page)
  const questions = (await action.form?.(row, portsIn('en'))) ?? []
  if (questions.length < 2) return expect(page.name).toBe('settings')
  const { answers } = startFieldList(questions)
  const changed = Object.fromEntries(questions.map((one) => [one.name, changeAnswer(one, answers[one.name]!)]))
  // A price per call replaces all others, so it is sent alone.
  const { call: _, ...others } = changed
  const lines = [changed, others].map((each) => action.command(row, { ...answers, ...each }, each))
  const flags = lines.flat().filter((word) => word.startsWith('--') && word !== '--')
  const used = [...new Set(flags.map((word) => word.slice(2).split('=')[0]!))]
  const path = lines[0]!.slice(0, 2)
  const options = Object.values(findCommand(path).options).map(({ flag }) =>
    flag
      .split(/[ ,]+/)
      .find((one) => one.startsWith('--'))!
      .slice(2),
  )
  expect(used.toSorted()).toEqual(options.filter((one) => !(NO_FIELDS[path.join(' ')] ?? []).includes(one)).toSorted())
})

describe('a list of fields', () => {
  it('saves all changed fields by one command, after a question', async () => {
    const { type, has, seen } = driverHere()
    type(`3e${ENTER}${CLEAR}main${ENTER}/weight${ENTER}${ENTER}${CLEAR}5${ENTER}${SAVE}`)
    await has('Save the changes of')
    type('y')
    await has('Done it.')
    expect(seen.commands).toEqual(['channels edit 1 --name=main --weight=5'])
  })

  it('returns with its changes and the reason if it is refused or not confirmed', async () => {
    const refused = { code: 1, output: 'weir: The name is taken.\n' }
    const { type, has, driver } = driverHere({ command: async () => refused })
    const list = () => (driver.state.over?.kind === 'fields' ? driver.state.over.list : undefined)
    type(`3e${ENTER}${CLEAR}main${ENTER}${SAVE}`)
    await has('y do it')
    type('n')
    expect(list()).toMatchObject({ status: 'open', answers: { name: 'main' } })
    type(SAVE)
    await has('y do it')
    type('y')
    await expect.poll(() => list()?.problem?.en).toBe('The name is taken.')
    expect(list()?.answers.name).toBe('main')
    type(`${ESCAPE}d`)
    expect(driver.state.over).toBeUndefined()
  })

  it('edits a field in an editor, JSON laid out', async () => {
    const seen: string[] = []
    const editor = async (name: string, text: string) => {
      seen.push(name, text)
      return '{\n  "a": [\n    2\n  ]\n}\n'
    }
    const ports = portsIn('en')
    const channel = { id: 1, name: 'main', model_mapping: '{"a":[1]}' }
    const channels = { ...ports.client.channels, get: async () => channel }
    const { type, driver } = driverHere({ editor, ports: { ...ports, client: { ...ports.client, channels } as never } })
    type('3e/model_mapping\r\u000F')
    await expect.poll(() => seen).toEqual(['model_mapping.json', '{\n  "a": [\n    1\n  ]\n}\n'])
    type(ENTER)
    await expect
      .poll(() => (driver.state.over as { list?: { answers: object } }).list?.answers)
      .toMatchObject({
        model_mapping: '{"a":[2]}',
      })
  })
})
