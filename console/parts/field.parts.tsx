import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Input } from '../semi.ts'
import { Field } from './field.tsx'

const input = <Input aria-label="Name" />

export const previews = definePreviews({
  plain: () => <Field label="Name">{input}</Field>,
  'with a hint': () => (
    <Field label="Name" hint="At most 30 characters">
      {input}
    </Field>
  ),
  'that must be filled in': () => (
    <Field label="Name" required>
      {input}
    </Field>
  ),
  'that is wrong': () => (
    <Field label="Name" required error="Enter a name.">
      {input}
    </Field>
  ),
  disabled: () => (
    <Field label="Name">
      <Input aria-label="Name" disabled value="laptop" />
    </Field>
  ),
  'long text': () => (
    <Field label={LONG_TEXT} hint={LONG_TEXT}>
      {input}
    </Field>
  ),
})
