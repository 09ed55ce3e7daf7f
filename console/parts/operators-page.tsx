// A page that the operator wrote: text that is rebuilt safely, or the address of a page elsewhere, framed.
import { ForeignFrame } from './foreign-frame.tsx'
import { RichText } from './rich-text.tsx'
import './operators-page.css'

interface Props {
  content: string
  /** What a framed page is, for those who do not see it. */
  title: string
}

export function OperatorsPage({ content, title }: Props) {
  return content.startsWith('https://') ? (
    <ForeignFrame address={content} title={title} />
  ) : (
    <article className="own-page">
      <RichText source={content} />
    </article>
  )
}
