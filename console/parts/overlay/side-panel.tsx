// The panel that slides in to create or edit one thing; full width on a phone.
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { registerPanel } from '../../data/conflict.ts'
import { type RefusedFormField, registerRefusedForm } from '../../data/notify.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { askConfirmation } from './confirm.tsx'
import { ModalDialog } from './dialog.tsx'
import { RefusedFields } from '../form/field.tsx'

interface Props {
  title: string
  /** Panels that create come from the left, panels that edit from the right. */
  side: 'left' | 'right'
  busy: boolean
  submit: string
  /** Rendered next to the buttons. */
  extra?: ReactNode
  /** The values of the form. Closing the panel with changes needs a confirmation. */
  draft: unknown
  onSubmit(): void
  onClose(): void
  children: ReactNode
}

export function SidePanel({ title, side, busy, submit, extra, draft, onSubmit, onClose, children }: Props) {
  const t = useText()
  const [touched, setTouched] = useState(false)
  const [initialDraft, setInitialDraft] = useState(() => JSON.stringify(draft))
  const now = JSON.stringify(draft)
  // Values that are filled in before the user has typed are no changes.
  useEffect(() => {
    if (!touched) setInitialDraft(now)
  }, [touched, now])
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => registerPanel(() => latest.current()), [])
  const close = async () => {
    const changed = touched && now !== initialDraft
    if (
      !changed ||
      (await askConfirmation({
        title: t('Discard what you have typed?'),
        body: t('It has not been saved.'),
        yes: t('Discard', { context: 'draft' }),
      }))
    )
      onClose()
  }
  const { panel, refused, show, touch, forget } = useRefusals(now)
  const summarized = refused.filter(({ inline }) => !inline)
  const noteTouch = (event: { target: EventTarget }) => {
    setTouched(true)
    touch(event.target)
  }
  return (
    <div ref={panel} onInput={noteTouch} onClickCapture={noteTouch} onKeyDownCapture={noteTouch}>
      <ModalDialog
        title={title}
        side={side}
        onClose={() => void close()}
        onSubmit={() => {
          if (busy) return
          forget()
          onSubmit()
        }}
        foot={
          <>
            {extra}
            <Button type="tertiary" onClick={() => void close()}>
              {t('Cancel')}
            </Button>
            <Button htmlType="submit" theme="solid" loading={busy}>
              {submit}
            </Button>
          </>
        }
      >
        {summarized.length > 0 && (
          <div className="panel-refused" role="alert">
            {summarized.length > 1 && <p>{t('Not saved: {count} fields are wrong', { count: summarized.length })}</p>}
            {summarized.map(({ field, label }) => (
              <button key={field} type="button" onClick={() => show(field)}>
                {summarized.length > 1 ? label : t('Not saved: see {name}', { name: label })}
              </button>
            ))}
          </div>
        )}
        <RefusedFields.Provider value={refused}>{children}</RefusedFields.Provider>
      </ModalDialog>
    </div>
  )
}

const CONTROLS = 'input, select, textarea, button'

const findFieldElement = (panel: HTMLElement | null, field: string) =>
  panel?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)

interface ShownRefusal extends RefusedFormField {
  label: string
}

const NONE: readonly ShownRefusal[] = []

/** The field errors of the panel, each until its field is changed or sent again. The first of them gets the focus. */
function useRefusals(draft: string) {
  const panel = useRef<HTMLDivElement>(null)
  const [refused, setRefused] = useState(NONE)
  const touched = useRef<string>(undefined)
  const show = useCallback(
    (field: string) => findFieldElement(panel.current, field)?.querySelector<HTMLElement>(CONTROLS)?.focus(),
    [],
  )
  useEffect(
    () =>
      registerRefusedForm((refusals) => {
        const found = refusals.flatMap((refusal) => assignToField(panel.current, refusal) ?? [])
        const fields = [...new Map(found.map((each) => [each.field, each])).values()].sort(inOrder(panel.current))
        if (fields.length > 0 || refusals.length === 0) setRefused(fields)
        return fields.length > 0
      }),
    [],
  )
  const latest = useRef(refused)
  // Focuses only new errors, not remaining ones.
  useEffect(() => {
    if (refused.length > 0 && !refused.every((each) => latest.current.includes(each))) show(refused[0]!.field)
    latest.current = refused
  }, [refused, show])
  useEffect(() => setRefused((old) => old.filter(({ field }) => !isChanged(field, touched.current))), [draft])
  const touch = (target: EventTarget) => {
    touched.current = (target as Element).closest<HTMLElement>('[data-field]')?.dataset['field']
  }
  return { panel, refused, show, touch, forget: () => setRefused(NONE) }
}

/** If the changed field is unknown, any field may have changed. */
const isChanged = (field: string, touched: string | undefined) => touched === undefined || touched === field

/** Assigns an error to its field. An error inside a field without its own control belongs to that field. */
function assignToField(panel: HTMLElement | null, { field: path, ...refusal }: RefusedFormField): ShownRefusal | null {
  const steps = path.split('.')
  const paths = steps.map((_, at) => steps.slice(0, steps.length - at).join('.'))
  const field = paths.find((one) => findFieldElement(panel, one))
  if (field === undefined) return null
  return {
    ...refusal,
    field,
    label: findFieldElement(panel, field)?.querySelector('.field-label')?.textContent ?? field,
  }
}

const inOrder = (panel: HTMLElement | null) => (a: ShownRefusal, b: ShownRefusal) => {
  const [first, second] = [findFieldElement(panel, a.field), findFieldElement(panel, b.field)]
  return first && second && first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
}
