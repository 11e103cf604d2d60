using Microsoft.CodeAnalysis;
using Polyjuice.Analyzers.Bodies;

namespace Polyjuice.Analyzers.Tests.Bodies;

public class RepeatedEffectAnalyzerTests
{
    [Theory]
    [InlineData("{|PJ0010:Console.WriteLine(1)|};")]
    [InlineData("await {|PJ0010:http.PostAsync(\"a\", null)|};")]
    [InlineData("await {|PJ0010:http.SendAsync(new())|};")]
    [InlineData("await {|PJ0010:http.PostAsJsonAsync(\"a\", 1)|};")]
    [InlineData("{|PJ0010:File.AppendAllText(\"a\", \"b\")|};")]
    [InlineData("await {|PJ0010:File.WriteAllTextAsync(\"a\", \"b\")|};")]
    [InlineData("{|PJ0010:File.Delete(\"a\")|};")]
    [InlineData("await {|PJ0010:stream.OnNextAsync(1)|};")]
    [InlineData("await {|PJ0010:stored.WriteStateAsync()|};")]
    [InlineData("await {|PJ0010:stored.ClearStateAsync(CancellationToken.None)|};")]
    [InlineData("await {|PJ0010:command.ExecuteNonQueryAsync()|};")]
    [InlineData("{|PJ0010:Process.Start(\"a\")|};")]
    [InlineData("if (http is not null) { for (;;) {|PJ0010:Console.Write(1)|}; }")]
    [InlineData("await purse.PerformUpdate(state => { {|PJ0010:Console.Write(1)|}; });")]
    public async Task What_acts_outside_is_reported_where_it_is(string statements)
    {
        var found = await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>(Grain(statements));
        Assert.Equal(DiagnosticSeverity.Warning, found[0].Severity);
    }

    [Theory]
    [InlineData("{|PJ0011:_count = 1|};")]
    [InlineData("{|PJ0011:_count++|};")]
    [InlineData("{|PJ0011:this._count += 1|};")]
    [InlineData("{|PJ0011:s_all--|};")]
    [InlineData("{|PJ0011:Last = DateTime.UtcNow|};")]
    [InlineData("{|PJ0011:(_count, _name) = (1, \"a\")|};")]
    [InlineData("var local = 0; {|PJ0011:(local, _name) = (1, \"a\")|};")]
    [InlineData("{|PJ0011:_count = await purse.PerformRead(state => 1)|};")]
    [InlineData("await purse.PerformUpdate(state => { {|PJ0011:_count++|}; state.Cents++; });")]
    public async Task What_changes_a_field_or_property_is_reported_more_quietly(string statements)
    {
        var found = await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>(Grain(statements));
        Assert.Equal(DiagnosticSeverity.Info, found[0].Severity);
    }

    [Theory]
    [InlineData("var count = 1; count++; count += 2;")]
    [InlineData("await purse.PerformUpdate(state => { state.Cents++; state.Owner = \"a\"; });")]
    [InlineData("_cache ??= new List<long>();")]
    [InlineData("var other = new Purse(); other.Cents = 1; other.Spent++;")]
    [InlineData("var made = new Purse { Cents = 1 };")]
    [InlineData("Interlocked.Increment(ref s_all);")]
    [InlineData("logger.LogInformation(\"a\");")]
    [InlineData("counter.Add(1);")]
    [InlineData("await http.GetAsync(\"a\");")]
    [InlineData("var text = File.ReadAllText(\"a\");")]
    [InlineData("await stored.ReadStateAsync();")]
    [InlineData("Action later = () => { Console.Write(1); _count++; };")]
    [InlineData("await GrainFactory.GetGrain<IPurse>(1).Run();")]
    public async Task What_bears_repeating_is_not_reported(string statements) =>
        await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>(Grain(statements));

    [Theory]
    [InlineData("[Transaction(TransactionOption.Create)]")]
    [InlineData("[Transaction(TransactionOption.CreateOrJoin)]")]
    [InlineData("[Transaction(TransactionOptionAlias.Required)]")]
    [InlineData("[Transaction(TransactionOptionAlias.RequiresNew)]")]
    [InlineData("[Transaction(TransactionOption.Create, ReadOnly = true)]")]
    [InlineData("[Transaction(TransactionOption.Create), TransactionRetry(TransactionRetry.Automatic)]")]
    public async Task Methods_that_may_start_a_transaction_and_are_repeated_are_meant(string attributes) =>
        await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>(Grain("{|PJ0010:Console.Write(1)|};", attributes));

    [Theory]
    [InlineData("")]
    [InlineData("[Transaction(TransactionOption.Join)]")]
    [InlineData("[Transaction(TransactionOption.Supported)]")]
    [InlineData("[Transaction(TransactionOption.Suppress)]")]
    [InlineData("[Transaction(TransactionOptionAlias.Never)]")]
    [InlineData("[Transaction(TransactionOption.Create), TransactionRetry(TransactionRetry.Never)]")]
    [InlineData("[TransactionRetry(TransactionRetry.Never)][Transaction(TransactionOption.CreateOrJoin)]")]
    public async Task Others_are_not(string attributes) =>
        await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>(Grain("Console.Write(1); _count++;", attributes));

    [Fact]
    public async Task The_bodies_of_explicit_generic_and_expressed_methods_are_looked_at_and_those_of_others_are_not()
    {
        await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>("""
            public interface IOne : IGrainWithIntegerKey
            {
                [Transaction(TransactionOption.Create)]
                Task Explicit();

                [Transaction(TransactionOption.Create)]
                Task Generic<T>(T value);

                [Transaction(TransactionOption.Create)]
                Task Inherited();

                Task Plain();
            }

            public abstract class Base : Grain, IOne
            {
                private int _count;

                Task IOne.Explicit()
                {
                    {|PJ0010:Console.Write(1)|};
                    return Task.CompletedTask;
                }

                public Task Generic<T>(T value) => Task.FromResult({|PJ0011:_count = 1|});

                public abstract Task Inherited();

                public Task Plain() => Task.FromResult(_count++);

                public void Explicit() => _count++;
            }

            public interface INotAGrain
            {
                [Transaction(TransactionOption.Create)]
                Task Run();
            }

            public sealed class NotAGrain : INotAGrain
            {
                private int _count;

                public Task Run() => Task.FromResult(_count++);
            }
            """);
    }

    [Fact]
    public async Task The_state_of_a_grain_with_one_is_stored_outside_too()
    {
        await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>("""
            public sealed class G : Grain<Purse>, IPurse
            {
                public async Task<long> Run()
                {
                    await {|PJ0010:WriteStateAsync()|};
                    return 1;
                }
            }
            """);
    }

    [Fact]
    public async Task The_message_names_what_is_done_and_the_method_that_the_attribute_is_for()
    {
        var found = await Compiled.IsJudgedAsync<RepeatedEffectAnalyzer>(Grain("{|PJ0010:Console.Write(1)|};"));
        var message = found[0].GetMessage(null);
        Assert.StartsWith("Call Console.Write after the commit", message, StringComparison.Ordinal);
        Assert.Contains("mark IShop.Buy [TransactionRetry", message, StringComparison.Ordinal);
    }

    private static string Grain(
        string statements,
        string attributes = "[Transaction(TransactionOption.CreateOrJoin)]") => $$"""
        namespace Shop;

        using System.Diagnostics;
        using System.IO;
        using System.Net.Http;
        using System.Net.Http.Json;
        using Microsoft.Extensions.Logging;

        public interface IShop : IGrainWithIntegerKey
        {
            {{attributes}}
            Task Buy();
        }

        [Reentrant]
        public sealed class ShopGrain(
            [TransactionalState("purse")] ITransactionalState<Purse> purse,
            Orleans.Runtime.IPersistentState<Purse> stored,
            Orleans.Streams.IAsyncStream<int> stream,
            HttpClient http,
            System.Data.Common.DbCommand command,
            System.Diagnostics.Metrics.Counter<long> counter,
            ILogger logger) : Grain, IShop
        {
            private static int s_all;
            private int _count;
            private string _name = "";
            private List<long>? _cache;

            public DateTime Last { get; set; }

            public async Task Buy()
            {
                {{statements}}
                await Task.Yield();
            }

            public override string ToString() =>
                $"{purse}{stored}{stream}{http}{command}{counter}{logger}{s_all}{_count}{_name}{_cache}";
        }
        """;
}
