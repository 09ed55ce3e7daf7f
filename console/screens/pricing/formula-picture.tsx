// The formula as a picture: the factors and their product.
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { PRICED_PER_CALL, formatPriceText, formatRatioText } from '../../../core/pricing/display.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { useMobile } from '../../parts/use-mobile.ts'

interface Props {
  /** The models that an example is taken from. */
  models: readonly PricedModel[]
  group: string
  groupRatio: number
  onClose(): void
}

const EXAMPLE = { prompt: 12_000, completion: 3000 }
/** Number of tokens per dollar at a ratio of 1. */
const TOKENS_PER_DOLLAR = 500_000

export function FormulaDialog({ models, group, groupRatio, onClose }: Props) {
  const t = useText()
  const format = useFormat()
  const model = models.find(({ quota_type }) => quota_type !== PRICED_PER_CALL)
  const { prompt, completion } = EXAMPLE
  const cost =
    model && (groupRatio * model.model_ratio * (prompt + completion * model.completion_ratio)) / TOKENS_PER_DOLLAR
  return (
    <ModalDialog wide title={t('How ratios become a price')} onClose={onClose}>
      <div className="formula">
        <Picture model={model} groupRatio={groupRatio} />
        <p>{t('A model ratio of 1 means $2 per 1M tokens; your price is multiplied by the ratio of your group.')}</p>
        {model && cost !== undefined && (
          <p>
            {t('For example, {prompt} tokens in and {completion} out of {model} in the group {group}: {cost}', {
              prompt: format.number(prompt),
              completion: format.number(completion),
              model: model.model_name,
              group,
              cost: formatPriceText(cost),
            })}
          </p>
        )}
      </div>
    </ModalDialog>
  )
}

function Picture({ model, groupRatio }: { model: PricedModel | undefined; groupRatio: number }) {
  const t = useText()
  const format = useFormat()
  const { prompt, completion } = EXAMPLE
  const [ratio, times] = model
    ? [formatRatioText(model.model_ratio), formatRatioText(model.completion_ratio, 3)]
    : ['', '']
  const isNarrow = useMobile()
  const ratios = (
    <>
      <Box x={0} width={120} name={t('group ratio')} value={formatRatioText(groupRatio)} tint="group" />
      <Sign x={138}>×</Sign>
      <Box x={156} width={120} name={t('model ratio')} value={ratio} tint="model" />
      <Sign x={294}>×</Sign>
    </>
  )
  const tokens = (
    <>
      <Bracket x={312} opens />
      <Box x={326} width={116} name={t('prompt tokens')} value={format.number(prompt)} tint="tokens" />
      <Sign x={457}>+</Sign>
      <Box x={472} width={130} name={t('completion tokens')} value={format.number(completion)} tint="tokens" />
      <Sign x={617}>×</Sign>
      <Box x={632} width={112} name={t('completion ratio')} value={times} tint="model" />
      <Bracket x={758} />
    </>
  )
  // A phone has two rows of factors, since their names would be too small to be read in one.
  const [width, below] = isNarrow ? [450, 100] : [760, 0]
  return (
    <svg
      viewBox={`0 0 ${width} ${190 + below}`}
      role="img"
      aria-label={t(
        'cost = group ratio x model ratio x (prompt tokens + completion tokens x completion ratio) / 500000 USD',
      )}
      className="formula-picture"
    >
      {isNarrow ? (
        <>
          <g transform="translate(72 0)">{ratios}</g>
          <g transform={`translate(-310 ${below})`}>{tokens}</g>
        </>
      ) : (
        <>
          {ratios}
          {tokens}
        </>
      )}
      <line x1={0} x2={width} y1={132 + below} y2={132 + below} className="formula-line" />
      <text x={width / 2} y={168 + below} className="formula-value">
        {format.number(TOKENS_PER_DOLLAR)}
      </text>
    </svg>
  )
}

function Box({ x, width, name, value, tint }: { x: number; width: number; name: string; value: string; tint: string }) {
  const middle = x + width / 2
  return (
    <>
      <rect x={x} y={30} width={width} height={76} rx={10} className={`formula-box formula-${tint}`} />
      <text x={middle} y={60} className="formula-name">
        {name}
      </text>
      <text x={middle} y={90} className="formula-value">
        {value}
      </text>
    </>
  )
}

const Sign = ({ x, children }: { x: number; children: string }) => (
  <text x={x} y={76} className="formula-value">
    {children}
  </text>
)

const Bracket = ({ x, opens }: { x: number; opens?: boolean }) => (
  <path d={opens ? `M${x + 8} 20q-10 48 0 96` : `M${x - 8} 20q10 48 0 96`} className="formula-line" />
)
