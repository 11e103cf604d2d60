namespace Polyjuice.Analyzers.Tests;

/// <summary>What the code in the tests has in common.</summary>
internal static class GrainCode
{
    /// <summary>For code that knows .NET alone.</summary>
    public const string NetUsings = """
        using System;
        using System.Collections.Generic;
        using System.Collections.Immutable;
        using System.Linq;
        using System.Threading;
        using System.Threading.Tasks;

        """;

    /// <summary>For code of grains.</summary>
    public const string Usings = NetUsings + """
        using Orleans;
        using Orleans.Concurrency;
        using Orleans.Transactions.Abstractions;
        using Polyjuice;

        """;

    /// <summary>A state, and interfaces of grains that have it.</summary>
    public const string Shared = Usings + """
        public sealed class Line
        {
            public int Count { get; set; }
        }

        public class Purse
        {
            public long Cents { get; set; }
            public long Spent;
            public string Owner { get; set; } = "";
            public Purse? Inner { get; set; }
            public List<Line> Lines { get; set; } = new();
            public Dictionary<string, long> ByName { get; } = new();
            public long[] Days { get; set; } = new long[7];
            public ImmutableList<long> History { get; set; } = ImmutableList<long>.Empty;
            public IReadOnlyList<long> Seen => History;
        }

        public interface IPurse : IGrainWithIntegerKey
        {
            [Transaction(TransactionOption.CreateOrJoin)]
            Task<long> Run();
        }
        """;

    /// <summary>A grain with these members, a transactional state and a field.</summary>
    public static string Grain(string members) => $$"""
        [Reentrant]
        public sealed class PurseGrain([TransactionalState("purse")] ITransactionalState<Purse> purse) : Grain, IPurse
        {
            private Purse? _kept;

            {{members}}

            public Purse? Kept => _kept;

            public Task<long> Run() => purse.PerformRead(state => state.Cents);

            private void Keep(Purse? state) => _kept = state;
        }
        """;
}
