using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Tpcc.Consistency;
using Tpcc.Loading;

namespace TpccSilo.Grains;

/// <inheritdoc cref="IDatabaseGrain"/>
[Reentrant]
public sealed class DatabaseGrain([TransactionalState("database")] ITransactionalState<DatabaseState> database)
    : Grain, IDatabaseGrain
{
    // Of one transaction. Larger ones would take longer than a silo's other work should wait.
    private const int CallsAtOnce = 200;
    private const int ExamplesMax = 10;

    /// <inheritdoc/>
    public async Task<DatabaseInfo> LoadNext(DatabaseTerms terms)
    {
        var plan = LoadPlan.Of(terms.Size, terms.Seed);
        var (first, end) = await database.PerformUpdate(state =>
        {
            state.Terms ??= terms;
            if (state.Terms != terms) throw new OtherDatabaseException(state.Terms);
            var first = state.Loaded;
            state.Loaded = Math.Min(first + CallsAtOnce, plan.Calls);
            return (first, state.Loaded);
        });
        await Task.WhenAll(Enumerable.Range(first, end - first).Select(call => plan.MakeAsync(GrainFactory, call)));
        return new DatabaseInfo(terms, end, plan.Calls);
    }

    /// <inheritdoc/>
    public Task<DatabaseInfo?> Read() => database.PerformRead(state =>
        state.Terms is { } terms
            ? new DatabaseInfo(terms, state.Loaded, LoadPlan.Of(terms.Size, terms.Seed).Calls)
            : null);

    /// <inheritdoc/>
    public async Task<ConsistencyReport> Check()
    {
        var terms = await database.PerformRead(state => state.Terms);
        if (terms is null) return new ConsistencyReport(0, 0, 0, []);
        var rows = await DatabaseReader.ReadAsync(GrainFactory, terms.Size);
        var violations = ConsistencyConditions.Check(rows);
        return new ConsistencyReport(
            rows.Districts.Values.Sum(district => district.Orders.Count),
            rows.Districts.Values.Sum(district => district.Payments.Count),
            violations.Count,
            [.. violations.Take(ExamplesMax).Select(violation => violation.ToString())]);
    }
}
