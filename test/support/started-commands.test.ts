// `npm test` fails where the tests of the terminal start the built command too often.
import { expect, it } from 'vitest'
import type { TestModule } from 'vitest/node'
import { tellTooManyStarted } from './run-notes.ts'
import { MOST_STARTED } from './started-commands.ts'

const fileOf = (relativeModuleId: string, started: number) =>
  ({ relativeModuleId, meta: () => ({ started }) }) as unknown as TestModule

it('counts the starts of all files of test/cli, and of no others', () => {
  const most = [fileOf('test/cli/a.test.ts', MOST_STARTED - 1), fileOf('test/cli/b.test.ts', 1)]
  expect(tellTooManyStarted([...most, fileOf('test/e2e/c.test.ts', 5)])).toBeUndefined()
  expect(tellTooManyStarted([...most, fileOf('test/cli/d.test.ts', 1)])).toBe(
    `test/cli started the built command ${MOST_STARTED + 1} times, and may ${MOST_STARTED} times: ` +
      `test/cli/a.test.ts ${MOST_STARTED - 1}, test/cli/b.test.ts 1, test/cli/d.test.ts 1.`,
  )
})
