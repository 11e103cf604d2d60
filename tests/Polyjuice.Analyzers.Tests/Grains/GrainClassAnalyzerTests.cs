using Polyjuice.Analyzers.CodeFixes;
using Polyjuice.Analyzers.Grains;

namespace Polyjuice.Analyzers.Tests.Grains;

public class GrainClassAnalyzerTests
{
    [Theory]
    [InlineData("public sealed class {|PJ0001:G|}(STATE) : Grain { }")]
    [InlineData("public class {|PJ0001:G|} : Grain { public G(STATE) { } }")]
    [InlineData("public class {|PJ0001:G|} : Grain { public G() { } private G(int number, STATE) { } }")]
    [InlineData("public class {|PJ0001:G|}<T>(STATE) : Grain where T : class, new() { }")]
    [InlineData("public class {|PJ0001:G|}(int n, STATE) : Grain { int N => n; }")]
    [InlineData("public class Outer { class {|PJ0001:G|}(STATE) : Grain { } }")]
    [InlineData("[MayInterleave(\"M\")] public class {|PJ0001:G|}(STATE) : Grain { static bool M(object o) => true; }")]
    public async Task A_grain_with_a_state_that_is_not_reentrant_is_reported_at_its_name(string code) =>
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>(WithState(code));

    [Fact]
    public async Task A_grain_that_gets_its_state_by_an_attribute_of_its_own_is_reported()
    {
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>("""
            [AttributeUsage(AttributeTargets.Parameter)]
            public sealed class MyStateAttribute : Attribute, IFacetMetadata, ITransactionalStateConfiguration
            {
                public string StateName => "mine";
                public string StorageName => "";
            }

            public interface IMine;

            public sealed class {|PJ0001:G|}([MyState] IMine mine) : Grain
            {
                public IMine Mine => mine;
            }
            """);
    }

    [Fact]
    public async Task A_grain_that_only_implements_the_interfaces_is_reported()
    {
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>("""
            public sealed class {|PJ0001:G|}(
                Orleans.Runtime.IGrainContext context,
                [TransactionalState("a")] ITransactionalState<Purse> purse) : IGrainBase, IPurse
            {
                public Orleans.Runtime.IGrainContext GrainContext => context;

                public Task<long> Run() => purse.PerformRead(state => state.Cents);
            }
            """);
    }

    [Theory]
    [InlineData("[Reentrant] public class G(STATE) : Grain { }")]
    [InlineData("public abstract class G(STATE) : Grain { }")]
    [InlineData("public class G : Grain { }")]
    [InlineData("public class G(int n) : Grain { int N => n; }")]
    [InlineData("public class Helper(ITransactionalState<Purse> a) { }")]
    [InlineData("public class G : Grain { public void Take(ITransactionalState<Purse> a) { } }")]
    public async Task Others_are_not_reported(string code) =>
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>(WithState(code));

    [Fact]
    public async Task A_grain_inherits_that_it_is_reentrant()
    {
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>("""
            [Reentrant]
            public abstract class Base(ITransactionalState<Purse> a) : Grain
            {
                public ITransactionalState<Purse> A => a;
            }

            public class Middle([TransactionalState("a")] ITransactionalState<Purse> a) : Base(a);

            public sealed class Last([TransactionalState("b")] ITransactionalState<Purse> b) : Middle(b);
            """);
    }

    [Fact]
    public async Task Of_a_class_in_parts_the_attribute_may_be_at_any()
    {
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>("""
            public sealed partial class G([TransactionalState("a")] ITransactionalState<Purse> a) : Grain;

            [Reentrant]
            public sealed partial class G
            {
                public Task<long> Cents() => a.PerformRead(state => state.Cents);
            }
            """);
    }

    [Fact]
    public async Task A_stateless_worker_with_a_state_is_reported_whether_it_is_reentrant_or_not()
    {
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>("""
            [StatelessWorker]
            public sealed class {|PJ0002:G|}([TransactionalState("a")] ITransactionalState<Purse> a) : Grain;

            [StatelessWorker(4), Reentrant]
            public sealed class {|PJ0002:H|}([TransactionalState("a")] ITransactionalState<Purse> a) : Grain;

            [StatelessWorker]
            public abstract class Base : Grain;

            [Reentrant]
            public sealed class {|PJ0002:I|}([TransactionalState("a")] ITransactionalState<Purse> a) : Base;
            """);
    }

    [Fact]
    public async Task A_stateless_worker_may_start_transactions()
    {
        await Compiled.IsJudgedAsync<GrainClassAnalyzer>("""
            [StatelessWorker]
            public sealed class G : Grain, IPurse
            {
                public Task<long> Run() => GrainFactory.GetGrain<IPurse>(1).Run();
            }
            """);
    }

    [Fact]
    public async Task The_fix_adds_the_attribute()
    {
        await Compiled.IsFixedAsync<GrainClassAnalyzer, ReentrantFix>(
            """
            using System.Threading.Tasks;
            using Orleans;
            using Orleans.Concurrency;
            using Orleans.Transactions.Abstractions;

            /// <summary>A purse.</summary>
            public sealed class {|PJ0001:G|}([TransactionalState("a")] ITransactionalState<Purse> a) : Grain
            {
                public Task<long> Cents() => a.PerformRead(state => state.Cents);
            }
            """,
            """
            using System.Threading.Tasks;
            using Orleans;
            using Orleans.Concurrency;
            using Orleans.Transactions.Abstractions;

            /// <summary>A purse.</summary>
            [Reentrant]
            public sealed class G([TransactionalState("a")] ITransactionalState<Purse> a) : Grain
            {
                public Task<long> Cents() => a.PerformRead(state => state.Cents);
            }
            """);
    }

    [Fact]
    public async Task The_fix_adds_the_using_directive_if_there_is_none()
    {
        await Compiled.IsFixedAsync<GrainClassAnalyzer, ReentrantFix>(
            """
            using Orleans;
            using Orleans.Transactions.Abstractions;

            namespace Shop;

            public sealed class Money;

            public sealed class {|PJ0001:G|}([TransactionalState("a")] ITransactionalState<Money> a) : Grain;
            """,
            """
            using Orleans;
            using Orleans.Concurrency;
            using Orleans.Transactions.Abstractions;

            namespace Shop;

            public sealed class Money;

            [Reentrant]
            public sealed class G([TransactionalState("a")] ITransactionalState<Money> a) : Grain;
            """);
    }

    [Fact]
    public async Task Nothing_is_said_where_Orleans_is_not_referenced()
    {
        await Compiled.IsJudgedWithoutOrleansAsync<GrainClassAnalyzer>("""
            public class Grain;
            public interface ITransactionalState<T>;
            public sealed class G(ITransactionalState<object> a) : Grain;
            """);
    }

    private static string WithState(string code) => code.Replace(
        "STATE",
        "[TransactionalState(\"a\")] ITransactionalState<Purse> a",
        StringComparison.Ordinal);
}
