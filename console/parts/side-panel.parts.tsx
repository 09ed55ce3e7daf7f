import { useState } from 'react'
import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Button, Input } from '../semi.ts'
import { Field } from './field.tsx'
import { SidePanel } from './side-panel.tsx'

function Opens({
  title = 'Create a token',
  busy = false,
  error,
  fields = 1,
}: {
  title?: string
  busy?: boolean
  error?: string
  fields?: number
}) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <SidePanel title={title} side="left" submit="Create" busy={busy} draft={name} onSubmit={close} onClose={close}>
          {Array.from({ length: fields }, (_, index) => (
            <Field key={index} label="Name" required error={error}>
              <Input aria-label="Name" value={name} onChange={setName} />
            </Field>
          ))}
        </SidePanel>
      )}
    </>
  )
}

export const previews = definePreviews({
  empty: () => <Opens />,
  busy: () => <Opens busy />,
  'that is wrong': () => <Opens error="Enter a name." />,
  'long text': () => <Opens title={LONG_TEXT} fields={30} />,
})
