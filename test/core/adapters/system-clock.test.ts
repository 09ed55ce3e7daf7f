// Time as the process has it, while the system's clock is set.
import { expect, test } from 'vitest'
import { createMonotonicTime } from '../../../core/adapters/platform.ts'

test('time never goes back, goes on at half its speed meanwhile, and is right again in the end', () => {
  let [wall, monotonic] = [1_000_000, 0]
  const now = createMonotonicTime(
    () => wall,
    () => monotonic,
  )
  const pass = (ms: number) => {
    wall += ms
    monotonic += ms
    return now()
  }
  expect(now()).toBe(1_000_000)
  expect(pass(500)).toBe(1_000_500)
  wall -= 10_000
  expect(now()).toBe(1_000_500)
  expect(pass(4_000)).toBe(1_002_500)
  expect(pass(1)).toBe(1_002_500)
  // Set back once more while it is still catching up.
  wall -= 1_000
  expect(pass(999)).toBe(1_003_000)
  expect(pass(20_000)).toBe(wall)
  wall += 3_600_000
  expect(now()).toBe(wall)
})
