using Polyjuice.Analyzers.Grains;

namespace Polyjuice.Analyzers.Tests.Grains;

public class TransactionGroupAnalyzerTests
{
    [Theory]
    [InlineData("[TransactionGroup(\"g\")] public class {|PJ0012:G|} : Grain, IGrainWithStringKey { }")]
    [InlineData("[TransactionGroup<F>(\"g\")] public class {|PJ0012:G|} : Grain, IGrainWithStringKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\", DividedBy = 10)] public class {|PJ0012:G|}(STATE) : Grain, IGrainWithStringKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\", DividedBy = -1)] public class {|PJ0012:G|}(STATE) : Grain, IGrainWithIntegerKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\", Separator = \"-\")] public class {|PJ0012:G|}(STATE) : Grain, "
        + "IGrainWithIntegerKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\", Part = -1, Separator = \"-\")] public class {|PJ0012:G|}(STATE) : Grain, "
        + "IGrainWithStringKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\", Key = TransactionGroupKey.Main)] public class {|PJ0012:G|}(STATE) : Grain, "
        + "IGrainWithStringKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\")] public abstract class B : Grain, IGrainWithStringKey { } public class "
        + "{|PJ0012:G|} : B { }")]
    public async Task A_group_that_silos_would_refuse_is_reported_at_the_class(string code) =>
        await Compiled.IsJudgedAsync<TransactionGroupAnalyzer>(WithState(code));

    [Theory]
    [InlineData("[TransactionGroup(\"g\")] public class G(STATE) : Grain, IGrainWithStringKey { }")]
    [InlineData("[TransactionGroup<F>(\"g\")] public class G(STATE) : Grain, IGrainWithGuidKey { }")]
    [InlineData("[TransactionGroup(\"g\", DividedBy = 10)] public class G(STATE) : Grain, IGrainWithIntegerKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\", Separator = \"-\", Part = 1)] public class G(STATE) : Grain, "
        + "IGrainWithStringKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\", Key = TransactionGroupKey.Main, DividedBy = 2)] public class G(STATE) : Grain, "
        + "IGrainWithIntegerCompoundKey { }")]
    [InlineData("[TransactionGroup(\"g\")] public abstract class B : Grain, IGrainWithStringKey { }")]
    [InlineData(
        "[TransactionGroup(\"g\")] public class G(ITransactionCommitter<object> c) : Grain, IGrainWithStringKey { "
        + "public object C => c; }")]
    [InlineData("public class G(STATE) : Grain, IGrainWithIntegerKey { }")]
    public async Task Others_are_not_reported(string code) =>
        await Compiled.IsJudgedAsync<TransactionGroupAnalyzer>(WithState(code));

    private static string WithState(string code) =>
        code.Replace("STATE", "[TransactionalState(\"a\")] ITransactionalState<Purse> a", StringComparison.Ordinal)
        + " public class F : ITransactionGroup { public static string GroupOf(Orleans.Runtime.GrainId grain) => "
        + "grain.ToString(); }";
}
