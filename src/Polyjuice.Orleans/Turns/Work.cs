namespace Polyjuice.Orleans.Turns;

/// <summary>Something to be run on an engine's turn.</summary>
internal readonly record struct Work(SendOrPostCallback Callback, object? State);
