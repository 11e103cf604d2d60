using System.Globalization;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Groups;

/// <summary>What declarations make of keys, and which are refused.</summary>
public sealed class GroupRuleTests
{
    private static readonly Guid s_guid = Guid.Parse(
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301", CultureInfo.InvariantCulture);

    // The values are part of the stored format: they must not change.
    [Theory]
    [InlineData(typeof(DepotGrain), "2A", "42")]
    [InlineData(typeof(ShelfGrain), "1067", "41")]
    [InlineData(typeof(ShelfGrain), "63", "0")]
    [InlineData(typeof(ShelfGrain), "FFFFFFFFFFFFFFFF", "-1")]
    [InlineData(typeof(ShelfGrain), "FFFFFFFFFFFFFF9C", "-1")]
    [InlineData(typeof(ShelfGrain), "FFFFFFFFFFFFFF9B", "-2")]
    [InlineData(typeof(BinGrain), "bin-41-a", "41")]
    [InlineData(typeof(BinGrain), "bin-41", "41")]
    [InlineData(typeof(CourierGrain), "north:ann", "north")]
    [InlineData(typeof(WholeText), "a/b c", "a/b c")]
    [InlineData(typeof(FirstPart), "a--b--c", "a")]
    [InlineData(typeof(FirstPart), "a", "a")]
    [InlineData(typeof(Guids), "3f2504e04f8911d39a0c0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3301")]
    [InlineData(typeof(MainOfCompound), "2A+x/y", "21")]
    [InlineData(typeof(ExtensionOfCompound), "2A+x/y", "y")]
    [InlineData(typeof(WholeCompound), "3f2504e04f8911d39a0c0305e82c3301+x", "3f2504e0-4f89-11d3-9a0c-0305e82c3301+x")]
    public void A_key_has_the_group_that_its_class_declares(Type grainClass, string key, string group) =>
        Assert.Equal(group, GroupRule.Of(grainClass)!.ValueOf(GrainId.Create("any", key)));

    [Fact]
    public void Keys_are_read_as_Orleans_writes_them()
    {
        var main = GroupRule.Of(typeof(MainOfCompound))!;
        var guids = GroupRule.Of(typeof(Guids))!;

        Assert.Equal(
            "-6",
            main.ValueOf(GrainId.Create(GrainType.Create("any"), GrainIdKeyExtensions.CreateIntegerKey(-11, "x"))));
        Assert.Equal(
            $"{s_guid}",
            guids.ValueOf(GrainId.Create(GrainType.Create("any"), GrainIdKeyExtensions.CreateGuidKey(s_guid))));
    }

    [Theory]
    [InlineData(typeof(BinGrain), "bin", "has 1 part(s) between '-', and no part 1")]
    [InlineData(typeof(BinGrain), "bin--a", "part 1 of 'bin--a' between '-' is empty")]
    [InlineData(typeof(ShelfGrain), "north", "its key is no integer key")]
    [InlineData(typeof(ExtensionOfCompound), "2A", "its key has no extension")]
    [InlineData(typeof(CourierGrain), "lost", "Region gave null")]
    [InlineData(typeof(CourierGrain), "nowhere", "Region gave an empty text")]
    [InlineData(typeof(CourierGrain), "ann", "Region threw System.FormatException: ann names no region")]
    public void A_key_without_a_group_is_named_with_its_class(Type grainClass, string key, string problem)
    {
        var exception = Assert.Throws<TransactionGroupException>(
            () => GroupRule.Of(grainClass)!.ValueOf(GrainId.Create("any", key)));

        Assert.Contains($"any/{key}", exception.Message, StringComparison.Ordinal);
        Assert.Contains(problem, exception.Message, StringComparison.Ordinal);
        Assert.Contains(grainClass.ToString(), exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(typeof(DividedText), "DividedBy is for integer keys, and its grains have string keys")]
    [InlineData(typeof(DividedByLess), "DividedBy = -1 is below 1")]
    [InlineData(typeof(DividedWholeCompound), "add Key = TransactionGroupKey.Main")]
    [InlineData(
        typeof(SeparatedNumber),
        "Separator is for string keys, and its grains have integer keys: divide them (DividedBy)")]
    [InlineData(typeof(SeparatedCompound), "add Key = TransactionGroupKey.Extension")]
    [InlineData(typeof(PartBelowZero), "Part = -1 is below 0")]
    [InlineData(typeof(PartOfNothing), "Part needs a Separator")]
    [InlineData(typeof(EmptySeparator), "Separator is empty")]
    [InlineData(typeof(MainOfText), "Key = Main is for compound keys")]
    [InlineData(typeof(Nameless), "'' is no group's name")]
    [InlineData(typeof(OddlyNamed), "'a/b' is no group's name")]
    [InlineData(typeof(OddlyNamedFunction), "'a b' is no group's name")]
    [InlineData(typeof(Twice), "it declares several")]
    [InlineData(typeof(NumbersAndTexts), "keys of several kinds (integer, string)")]
    [InlineData(typeof(Keyless), "say of no key what it is")]
    public void A_wrong_declaration_is_refused_with_the_class_and_what_to_do(Type grainClass, string problem)
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => GroupRule.Of(grainClass));

        Assert.Contains(grainClass.ToString(), exception.Message, StringComparison.Ordinal);
        Assert.Contains(problem, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_class_without_a_declaration_has_no_rule_and_one_that_inherits_has() =>
        Assert.Equal(
            (null, "g: string key"),
            (GroupRule.Of(typeof(AccountGrain)), GroupRule.Of(typeof(Inheriting))?.Declaration));

    // What logs record: a text that changes makes silos look through their logs.
    [Theory]
    [InlineData(typeof(DepotGrain), "depot: integer key")]
    [InlineData(typeof(ShelfGrain), "depot: integer key / 100")]
    [InlineData(typeof(BinGrain), "depot: part 1 of string key by '-'")]
    [InlineData(typeof(CourierGrain), "region: function Polyjuice.Orleans.Tests.Grains.CourierGrain+Region")]
    [InlineData(typeof(MainOfCompound), "g: main part of compound integer key / 2")]
    [InlineData(typeof(ExtensionOfCompound), "g: part 1 of extension of compound integer key by '/'")]
    public void A_declaration_has_a_text(Type grainClass, string declaration) =>
        Assert.Equal(declaration, GroupRule.Of(grainClass)?.Declaration);

    [TransactionGroup("g")]
    private abstract class WholeText : IGrainWithStringKey;

    private abstract class Inheriting : WholeText;

    [TransactionGroup("g", Separator = "--")]
    private abstract class FirstPart : IGrainWithStringKey;

    [TransactionGroup("g")]
    private abstract class Guids : IGrainWithGuidKey;

    [TransactionGroup("g", Key = TransactionGroupKey.Main, DividedBy = 2)]
    private abstract class MainOfCompound : IGrainWithIntegerCompoundKey;

    [TransactionGroup("g", Key = TransactionGroupKey.Extension, Separator = "/", Part = 1)]
    private abstract class ExtensionOfCompound : IGrainWithIntegerCompoundKey;

    [TransactionGroup("g")]
    private abstract class WholeCompound : IGrainWithGuidCompoundKey;

    [TransactionGroup("g", DividedBy = 2)]
    private abstract class DividedText : IGrainWithStringKey;

    [TransactionGroup("g", DividedBy = -1)]
    private abstract class DividedByLess : IGrainWithIntegerKey;

    [TransactionGroup("g", DividedBy = 2)]
    private abstract class DividedWholeCompound : IGrainWithIntegerCompoundKey;

    [TransactionGroup("g", Separator = "-")]
    private abstract class SeparatedNumber : IGrainWithIntegerKey;

    [TransactionGroup("g", Separator = "-")]
    private abstract class SeparatedCompound : IGrainWithIntegerCompoundKey;

    [TransactionGroup("g", Separator = "-", Part = -1)]
    private abstract class PartBelowZero : IGrainWithStringKey;

    [TransactionGroup("g", Part = 1)]
    private abstract class PartOfNothing : IGrainWithStringKey;

    [TransactionGroup("g", Separator = "")]
    private abstract class EmptySeparator : IGrainWithStringKey;

    [TransactionGroup("g", Key = TransactionGroupKey.Main)]
    private abstract class MainOfText : IGrainWithStringKey;

    [TransactionGroup("")]
    private abstract class Nameless : IGrainWithStringKey;

    [TransactionGroup("a/b")]
    private abstract class OddlyNamed : IGrainWithStringKey;

    [TransactionGroup<CourierGrain.Region>("a b")]
    private abstract class OddlyNamedFunction : IGrainWithStringKey;

    [TransactionGroup("g")]
    [TransactionGroup<CourierGrain.Region>("g")]
    private abstract class Twice : IGrainWithStringKey;

    [TransactionGroup("g")]
    private abstract class NumbersAndTexts : IGrainWithIntegerKey, IGrainWithStringKey;

    [TransactionGroup("g")]
    private abstract class Keyless : IGrain;
}
