// Settings of asynchronous tasks.
import { ZERO_IS_NO_LIMIT } from '../contract/field.ts'
import { words } from '../errors.ts'
import { count, setting, settingUnits } from './setting.ts'

export const taskSettings = {
  'tasks.open_per_user': setting({
    value: count(100, { max: 100_000 }),
    label: words('Open tasks of one user'),
    help: words('Drawings, songs and films that are not finished; more are refused'),
    zero: ZERO_IS_NO_LIMIT,
    card: 'operation.drawing',
    order: 80,
    writer: 'admin',
  }),
  'tasks.forget_minutes': setting({
    value: count(60, { min: 1, max: 10_080 }),
    label: words('Longest time of a task'),
    help: words(
      'A task that its provider has not finished by then, or does not know any more, has failed, and what it cost is given back',
    ),
    card: 'operation.drawing',
    order: 90,
    unit: settingUnits.minutes,
    writer: 'admin',
  }),
}
