// The shape of a price as operators write it, and of purchase prices: what the operator pays, by channel or by type of
// channel, and by model.
import { z } from 'zod'
import { field } from '../contract/field.ts'
import { PRICE_PART_LIST, type PricePartName } from './price-parts.ts'
import { PriceTierRules } from './price-tiers.ts'
import { RatioNumber, failWithCode } from './setting.ts'

const Number = z.unknown().refine(RatioNumber, failWithCode('setting.ratio')) as z.ZodType<number>
const Numbers = z.record(z.string(), Number)

const extras = { tools: Numbers.optional(), image_multipliers: Numbers.optional(), tiers: PriceTierRules.optional() }
/** Declares a field for each part of a price. */
export const declarePricePartFields = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(
    PRICE_PART_LIST.map(({ name, label, help, example }) => [name, field(schema, { label, help, example })]),
  ) as Record<PricePartName, S>

const { model_price, ...ratios } = declarePricePartFields(Number.optional())

/** A purchase price: by call in USD, or by usage as a ratio. Other parts default to those of the selling price. */
export type PurchasePrice = z.infer<z.ZodObject<typeof extras>> &
  ({ model_price: number } | (z.infer<z.ZodObject<typeof ratios>> & { model_ratio: number }))

const isOneOf = ({ model_price, ...price }: Record<string, unknown>) =>
  model_price === undefined
    ? price.model_ratio !== undefined
    : Object.keys(price).every((key) => Object.hasOwn(extras, key))

/** All parts of a price. Missing ones follow the tables' rules. */
export const PriceFields = z.strictObject({ model_price, ...ratios, ...extras }).meta({ id: 'PriceFields' })
export type PriceFields = z.infer<typeof PriceFields>

const PurchasePrice = PriceFields.refine(
  isOneOf,
  failWithCode('setting.price_kind'),
) as z.ZodType<unknown> as z.ZodType<PurchasePrice>

const isChannel = (key: string) => /^(type:)?\d{1,15}$/.test(key)

/** A channel's number, or `type:` and the number of a type → model, or a beginning of names with `*` behind it → price. */
export const ChannelPrices = z
  .record(z.string(), z.record(z.string().min(1), PurchasePrice))
  .superRefine((prices, context) => {
    for (const key of Object.keys(prices)) {
      if (!isChannel(key))
        context.addIssue({ code: 'custom', path: [key], message: 'setting.price_channel', params: {} })
    }
  })
export type ChannelPrices = z.infer<typeof ChannelPrices>
