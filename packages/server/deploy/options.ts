// Prints the table of options for the README.
import { optionsTable } from '../src/options-table.ts'

console.log(optionsTable())
