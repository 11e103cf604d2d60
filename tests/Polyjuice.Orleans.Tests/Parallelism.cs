// Each test has silos of its own that want all processors: one after the other they end sooner, and time-outs mean something.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
