// Previews of what opens over a page.
import { useState, type ComponentProps } from 'react'
import { ClientGuide } from '../parts/text/client-guide.tsx'
import { ConfirmedButton, askConfirmation } from '../parts/overlay/confirm.tsx'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { FormField } from '../parts/form/field.tsx'
import { buildMenuAttributes, type MenuItem } from '../parts/overlay/menu.tsx'
import { PrintSheet } from '../parts/overlay/print-sheet.tsx'
import { SidePanel } from '../parts/overlay/side-panel.tsx'
import { Button, Input } from '../semi.ts'
import { definePreviews, LONG_TEXT, doNothing, type PreviewModule } from './states.ts'

const first = { address: 'https://weir.test', key: 'sk-1234', model: 'gpt-4o' }

const clientGuidePreviews = definePreviews({
  curl: () => <ClientGuide first={first} />,
})

const confirmPreviews = definePreviews({
  'a button that asks': () => (
    <ConfirmedButton question="Delete laptop?" onConfirm={doNothing}>
      Delete
    </ConfirmedButton>
  ),
  disabled: () => (
    <ConfirmedButton question="Delete laptop?" onConfirm={doNothing} disabled>
      Delete
    </ConfirmedButton>
  ),
  'a harmless question': () => (
    <Button onClick={() => void askConfirmation({ title: 'Enable all channels?', yes: 'Enable', harmless: true })}>
      Ask
    </Button>
  ),
  'a long question': () => (
    <Button onClick={() => void askConfirmation({ title: LONG_TEXT, body: LONG_TEXT, yes: 'Delete' })}>
      Ask at length
    </Button>
  ),
})

function Opens({
  title = 'Rename laptop',
  text,
  ...more
}: Partial<ComponentProps<typeof ModalDialog>> & { text?: string }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <ModalDialog
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
        </ModalDialog>
      )}
    </>
  )
}

const dialogPreviews = definePreviews({
  'with a field': () => <Opens />,
  wide: () => <Opens wide />,
  narrow: () => <Opens narrow />,
  'at the left': () => <Opens side="left" />,
  'at the right': () => <Opens side="right" />,
  'long text': () => <Opens title={LONG_TEXT} text={`${LONG_TEXT} `.repeat(40)} />,
})

const item = (key: string, more: Partial<MenuItem> = {}): MenuItem => ({ key, label: key, run: doNothing, ...more })
const opens = (...items: MenuItem[]) => <Button {...buildMenuAttributes('Acts', () => items)}>Open</Button>

const menuPreviews = definePreviews({
  acts: () =>
    opens(
      item('Edit'),
      item('Disable', { disabled: 'It is disabled' }),
      item('Delete', { danger: true, divider: true }),
    ),
  'one that is chosen': () => opens(item('English', { chosen: true }), item('Chinese', { chosen: false })),
  'long text': () => opens(item(LONG_TEXT)),
})

function PrintSheetOpens({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <PrintSheet title="Invoice" onClose={() => setOpen(false)}>
          <p>{text}</p>
        </PrintSheet>
      )}
    </>
  )
}

const printSheetPreviews = definePreviews({
  'something to print': () => <PrintSheetOpens text="Paid with thanks." />,
  'long text': () => <PrintSheetOpens text={LONG_TEXT} />,
})

function SidePanelOpens({
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
            <FormField key={index} label="Name" required error={error}>
              <Input aria-label="Name" value={name} onChange={setName} />
            </FormField>
          ))}
        </SidePanel>
      )}
    </>
  )
}

const sidePanelPreviews = definePreviews({
  empty: () => <SidePanelOpens />,
  busy: () => <SidePanelOpens busy />,
  'that is wrong': () => <SidePanelOpens error="Enter a name." />,
  'long text': () => <SidePanelOpens title={LONG_TEXT} fields={30} />,
})

const tipsPreviews = definePreviews({
  'of what is pointed at': () => <span data-tip="More of it">point here</span>,
  'of what has the focus': () => (
    <button type="button" className="plain-button" data-tip={LONG_TEXT}>
      focus me
    </button>
  ),
})

export const previews = {
  'text/client-guide': clientGuidePreviews,
  'overlay/confirm': confirmPreviews,
  'overlay/dialog': dialogPreviews,
  'overlay/menu': menuPreviews,
  'overlay/print-sheet': printSheetPreviews,
  'overlay/side-panel': sidePanelPreviews,
  'overlay/tips': tipsPreviews,
} satisfies PreviewModule['previews']
