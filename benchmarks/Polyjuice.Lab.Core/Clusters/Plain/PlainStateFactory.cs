using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Clusters;

/// <summary>Makes states that are objects in their grain's memory. Thread-safe.</summary>
internal sealed class PlainStateFactory : ITransactionalStateFactory
{
    /// <inheritdoc/>
    public ITransactionalState<TState> Create<TState>(TransactionalStateConfiguration config)
        where TState : class, new() => new PlainState<TState>();

    /// <summary>On its grain's turn, as grain code is.</summary>
    private sealed class PlainState<TState> : ITransactionalState<TState>
        where TState : class, new()
    {
        private readonly TState _state = new();

        /// <inheritdoc/>
        public Task<TResult> PerformRead<TResult>(Func<TState, TResult> readFunction) =>
            Task.FromResult(readFunction(_state));

        /// <inheritdoc/>
        public Task<TResult> PerformUpdate<TResult>(Func<TState, TResult> updateFunction) =>
            Task.FromResult(updateFunction(_state));
    }
}
