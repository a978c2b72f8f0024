// Prints the table of options that the README has.
import { optionsTable } from '../src/options-table.ts'

console.log(optionsTable())
