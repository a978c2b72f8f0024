#!/usr/bin/env node
// This executable file is part of the repository, because npm must be able to link the command before the first build.
import '../dist/main.js'
