// `weir ui` as Ink draws it.
import { render } from 'ink-testing-library'
import { expect, it } from 'vitest'
import { UiApp } from '../../../cli/ui/run.tsx'
import { until } from '../../support/terminal.ts'
import { driverHere } from './world.ts'

it('draws pages and forms, and hears every key of both', async () => {
  let redraw = () => {}
  const { driver, seen } = driverHere({ changed: () => redraw() })
  const onChange = (drawn: () => void) => {
    redraw = drawn
    return () => (redraw = () => {})
  }
  const screen = render(<UiApp driver={driver} language="en" size={{ columns: 100, rows: 24 }} onChange={onChange} />)
  const has = (text: string) =>
    until(() => screen.lastFrame()?.includes(text) === true).catch(() => {
      throw new Error(`waited in vain for “${text}” on\n${screen.lastFrame()}`)
    })
  await driver.start()
  await has('Attention')
  screen.stdin.write('4ja')
  await has('? Amount')
  screen.stdin.write('five\r')
  await has('must be dollars')
  screen.stdin.write('\u0015$5\rgift\ry')
  await has('Done it.')
  expect(seen.commands).toEqual(['users topup --reason=gift -- 2 $5'])
  screen.unmount()
  driver.stop()
})
