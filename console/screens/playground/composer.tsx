// The field for the next message: text, and pictures that are chosen, pasted or dropped.
import { IconClose, IconImage, IconSend, IconStop } from '@douyinfe/semi-icons'
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { showNotice } from '../../data/notify.ts'
import { useText, texts } from '../../data/texts.tsx'
import { useMobile } from '../../parts/use-mobile.ts'
import { Button, TextArea } from '../../semi.ts'

const REFUSAL_TEXTS = texts({ tooLarge: '{name} is larger than {n} MB', noPicture: '{name} is not a picture' })

// Pictures of a message: read in the browser and sent as a part of it.

const MAX_PICTURES = 8
export const MAX_PICTURE_MB = 10

type PictureRefusal = { why: 'tooLarge' | 'noPicture'; name: string }

/** Reads a file as an address of the data scheme, or returns why it is refused. */
async function readPicture(file: File): Promise<string | PictureRefusal> {
  if (!file.type.startsWith('image/')) return { why: 'noPicture', name: file.name }
  if (file.size > MAX_PICTURE_MB * 1_000_000) return { why: 'tooLarge', name: file.name }
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error!))
    reader.readAsDataURL(file)
  })
}

interface Props {
  busy: boolean
  /** There is no model to ask. */
  disabled: boolean
  send(text: string, pictures: string[]): void
  stop(): void
}

export function MessageComposer({ busy, disabled, send, stop }: Props) {
  const t = useText()
  const mobile = useMobile()
  const [text, setText] = useState('')
  const [pictures, add, remove] = usePictures()
  const [over, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const nothing = text.trim() === '' && pictures.length === 0
  const submit = () => {
    if (busy || disabled || nothing) return
    send(text.trim(), pictures)
    setText('')
    remove()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may also confirm a word of an input method.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit()
    else if (event.key === 'Escape' && busy) stop()
    else return
    event.preventDefault()
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void add(event.dataTransfer.files)
  }
  return (
    <form
      className={`composer${over ? ' composer-over' : ''}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      onPaste={({ clipboardData }) => void add(clipboardData.files)}
    >
      {over && <p className="composer-drop">{t('Drop pictures here')}</p>}
      {pictures.length > 0 && (
        <ul className="composer-pictures">
          {pictures.map((url, at) => (
            <li key={at}>
              <img src={url} alt={`${t('Picture')} ${at + 1}`} />
              <Button
                theme="solid"
                type="tertiary"
                size="small"
                icon={<IconClose aria-hidden size="extra-small" />}
                aria-label={t('Remove picture {n}', { n: at + 1 })}
                onClick={() => remove(at)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="composer-line">
        <Button
          theme="borderless"
          type="tertiary"
          icon={<IconImage aria-hidden />}
          aria-label={t('Add pictures')}
          data-tip={t('Add pictures')}
          onClick={() => chooser.current?.click()}
        />
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          accept="image/*"
          aria-label={t('Add pictures')}
          onChange={({ target }) => {
            void add(target.files!)
            target.value = ''
          }}
        />
        <TextArea
          aria-label={t('Message')}
          placeholder={mobile ? t('Message') : t('Enter sends, Shift+Enter starts a new line')}
          autosize={{ minRows: 1, maxRows: 10 }}
          value={text}
          onChange={setText}
          onKeyDown={onKeyDown}
        />
        {busy ? (
          <Button icon={<IconStop aria-hidden />} onClick={stop}>
            {t('Stop')}
          </Button>
        ) : (
          <Button theme="solid" htmlType="submit" icon={<IconSend aria-hidden />} disabled={disabled || nothing}>
            {t('Send')}
          </Button>
        )}
      </div>
    </form>
  )
}

function usePictures() {
  const t = useText()
  const [pictures, setPictures] = useState<string[]>([])
  const add = async (files: FileList) => {
    const read = await Promise.all([...files].map(readPicture))
    for (const one of read)
      if (typeof one !== 'string') showNotice.error(t(REFUSAL_TEXTS[one.why], { name: one.name, n: MAX_PICTURE_MB }))
    const fit = read.filter((one) => typeof one === 'string')
    if (pictures.length + fit.length > MAX_PICTURES)
      showNotice.error(t('At most {n} pictures with one message', { n: MAX_PICTURES }))
    setPictures((old) => [...old, ...fit].slice(0, MAX_PICTURES))
  }
  /** Removes one picture, or all. */
  const remove = (at?: number) => setPictures((old) => (at === undefined ? [] : old.filter((_, other) => other !== at)))
  return [pictures, add, remove] as const
}
