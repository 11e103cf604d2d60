using Polyjuice.Analyzers.Accesses;
using Polyjuice.Analyzers.CodeFixes;

namespace Polyjuice.Analyzers.Tests.Accesses;

public class ChangingReadAnalyzerTests
{
    [Theory]
    [InlineData("{|PJ0006:state.Cents = 1|}")]
    [InlineData("{|PJ0006:state.Cents += 1|}")]
    [InlineData("{|PJ0006:state.Spent++|}")]
    [InlineData("{|PJ0006:--state.Spent|}")]
    [InlineData("{|PJ0006:state.Inner ??= new Purse()|}")]
    [InlineData("{|PJ0006:state.Inner!.Cents = 1|}")]
    [InlineData("{|PJ0006:state.Inner!.Inner!.Owner = \"me\"|}")]
    [InlineData("{|PJ0006:(state.Cents, state.Spent) = (1, 2)|}")]
    [InlineData("{|PJ0006:state.Days[0] = 1|}")]
    [InlineData("{|PJ0006:state.ByName[\"a\"] = 1|}")]
    [InlineData("{|PJ0006:state.Lines[0].Count++|}")]
    [InlineData("{|PJ0006:state.Lines.Add(new Line())|}")]
    [InlineData("{|PJ0006:state.Lines.Clear()|}")]
    [InlineData("{|PJ0006:state.ByName.TryAdd(\"a\", 1)|}")]
    [InlineData("state.Inner?{|PJ0006:.Lines.Clear()|}")]
    [InlineData("{|PJ0006:((Purse)(object)state).Cents = 1|}")]
    [InlineData("var lines = state.Lines; {|PJ0006:lines.RemoveAt(0)|}")]
    [InlineData("var inner = state.Inner!; var lines = inner.Lines; {|PJ0006:lines[0].Count = 1|}")]
    [InlineData("foreach (var line in state.Lines) {|PJ0006:line.Count = 0|}")]
    [InlineData("if (state.Cents == 0) { {|PJ0006:state.Cents = 1|}; {|PJ0006:state.Spent = 1|}; }")]
    public async Task What_a_read_changes_in_the_state_is_reported_where_it_is(string statement) =>
        await Compiled.IsJudgedInGrainAsync<ChangingReadAnalyzer>(Read(statement));

    [Theory]
    [InlineData("var cents = state.Cents; cents++")]
    [InlineData("var other = new Purse(); other.Cents = state.Cents")]
    [InlineData("var lines = new List<Line>(); lines.AddRange(state.Lines)")]
    [InlineData("var lines = state.Lines.ToList(); lines.Clear()")]
    [InlineData("var lines = state.Lines; lines = new List<Line>(); lines.Add(new Line())")]
    [InlineData("var more = state.History.Add(1)")]
    [InlineData("state = new Purse()")]
    [InlineData("state.Lines.Sort()")]
    [InlineData("_ = state.Lines.Contains(new Line())")]
    [InlineData("_ = new Purse { Cents = state.Cents }")]
    [InlineData("Cached = state.Cents")]
    [InlineData("Action later = () => state.Cents = 1")]
    public async Task What_it_changes_elsewhere_is_not(string statement) =>
        await Compiled.IsJudgedInGrainAsync<ChangingReadAnalyzer>(Read(statement));

    [Fact]
    public async Task Lambdas_of_all_forms_methods_and_local_functions_are_looked_at()
    {
        await Compiled.IsJudgedInGrainAsync<ChangingReadAnalyzer>("""
            public async Task Test()
            {
                await purse.PerformRead(state => {|PJ0006:state.Cents++|});
                await purse.PerformRead((Purse state) => {|PJ0006:state.Spent = 1|});
                await purse.PerformRead(delegate(Purse state) { return {|PJ0006:state.Cents--|}; });
                await purse.PerformRead({|PJ0006:Take|});
                await purse.PerformRead({|PJ0006:Local|});
                await purse.PerformRead({|PJ0006:Expressed|});
                await purse.PerformUpdate(Take);

                long Local(Purse state)
                {
                    state.Cents = 0;
                    return 0;
                }
            }

            private static long Take(Purse state)
            {
                var cents = state.Cents;
                state.Cents = 0;
                return cents;
            }

            private static long Expressed(Purse p) => p.Cents += 1;
            """);
    }

    [Fact]
    public async Task An_update_is_not_reported()
    {
        await Compiled.IsJudgedInGrainAsync<ChangingReadAnalyzer>("""
            public async Task Test()
            {
                await purse.PerformUpdate(state => { state.Cents++; });
                await purse.PerformUpdate(state => state.Lines.Remove(new Line()));
            }
            """);
    }

    [Fact]
    public async Task The_fix_makes_an_update_of_a_lambdas_read()
    {
        await Compiled.IsFixedAsync<ChangingReadAnalyzer, PerformUpdateFix>(
            Grain("public Task<long> Take() => purse.PerformRead(state => {|PJ0006:state.Cents--|});"),
            Grain("public Task<long> Take() => purse.PerformUpdate(state => state.Cents--);"));
    }

    [Fact]
    public async Task And_of_a_methods()
    {
        const string Method = "static long Less(Purse state) => state.Cents--;";
        await Compiled.IsFixedAsync<ChangingReadAnalyzer, PerformUpdateFix>(
            Grain($"public Task<long> Take() => purse /* mine */ .PerformRead({{|PJ0006:Less|}}); {Method}"),
            Grain($"public Task<long> Take() => purse /* mine */ .PerformUpdate(Less); {Method}"));
    }

    private static string Grain(string members) => $"{GrainCode.Usings}{GrainCode.Grain(members)}";

    private static string Read(string statement) => $$"""
        private long Cached { get; set; }

        public Task Test() => purse.PerformRead(state =>
        {
            {{statement}};
            return Cached;
        });
        """;
}
