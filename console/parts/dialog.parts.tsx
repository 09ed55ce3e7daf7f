import { useState, type ComponentProps } from 'react'
import { LONG, partStates } from '../parts-page/states.ts'
import { Button, Input } from '../semi.ts'
import { Dialog } from './dialog.tsx'

function Opens({ title = 'Rename laptop', text, ...more }: Partial<ComponentProps<typeof Dialog>> & { text?: string }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <Dialog
          title={title}
          onClose={close}
          onSubmit={close}
          foot={
            <Button htmlType="submit" theme="solid">
              Save
            </Button>
          }
          {...more}
        >
          {text ?? <Input aria-label="Name" defaultValue="laptop" />}
        </Dialog>
      )}
    </>
  )
}

export const states = partStates({
  'with a field': () => <Opens />,
  wide: () => <Opens wide />,
  narrow: () => <Opens narrow />,
  'at the left': () => <Opens side="left" />,
  'at the right': () => <Opens side="right" />,
  'long text': () => <Opens title={LONG} text={`${LONG} `.repeat(40)} />,
})
