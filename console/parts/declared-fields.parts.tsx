import { useState } from 'react'
import { definePreviews } from '../parts-page/states.ts'
import { initialToken, form } from '../screens/tokens/form.built.ts'
import { DeclaredField } from './declared-fields.tsx'

function Of({ name, ...more }: { name: keyof typeof initialToken & string; error?: string; required?: boolean }) {
  const [draft, setDraft] = useState(initialToken)
  return (
    <DeclaredField
      form={form}
      name={name}
      draft={draft}
      set={(change) => setDraft({ ...draft, ...change })}
      {...more}
    />
  )
}

export const previews = definePreviews({
  'a text': () => <Of name="name" required />,
  'a text that is wrong': () => <Of name="name" required error="Enter a name." />,
  'an amount of quota': () => <Of name="budget_day" />,
  'a number': () => <Of name="requests_per_minute" />,
  'several lines': () => <Of name="allow_ips" />,
  'a switch': () => <Of name="unlimited_quota" />,
})
