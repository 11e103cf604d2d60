using System.Globalization;
using Orleans.Configuration;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Groups;

/// <summary>What a grain class declares of its grains' groups. Immutable; thread-safe.</summary>
internal sealed class GroupRule
{
    private const int NameMax = 64;

    private readonly Type _grainClass;
    private readonly GroupPlace _place;
    private readonly IGroupFunction? _function;
    private readonly KeyKind? _kind;
    private readonly TransactionGroupKey _key;
    private readonly long _dividedBy = 1;
    private readonly string? _separator;
    private readonly int _part;

    private GroupRule(Type grainClass, IGroupFunction function)
    {
        _grainClass = grainClass;
        Name = function.Name;
        _function = function;
        CheckName();
        _place = new GroupPlace(Name);
        Declaration = $"{Name}: function {function.Type.FullName}";
    }

    private GroupRule(Type grainClass, TransactionGroupAttribute declared)
    {
        _grainClass = grainClass;
        (Name, _key, _separator, _part) = (declared.Name, declared.Key, declared.Separator, declared.Part);
        CheckName();
        _place = new GroupPlace(Name);
        var kinds = KeyKind.Of(grainClass);
        if (kinds.Count != 1)
        {
            var names = string.Join(", ", kinds.Select(static kind => kind.Name));
            throw Bad(kinds.Count == 0
                ? "its grain interfaces say of no key what it is: derive them from IGrainWithIntegerKey or the like"
                : $"its grains have keys of several kinds ({names}): declare the group by a function, "
                    + "[TransactionGroup<T>]");
        }

        _kind = kinds[0];
        if (!Enum.IsDefined(_key)) throw Bad($"{nameof(declared.Key)} = {_key} is no {nameof(TransactionGroupKey)}");
        if (_key != TransactionGroupKey.Whole && !_kind.IsCompound)
        {
            throw Bad(
                $"{nameof(declared.Key)} = {_key} is for compound keys, and its grains have {_kind.Name} keys: "
                + "leave it out");
        }

        CheckDivision(declared);
        CheckParts(declared);
        if (declared.DividedBy > 0) _dividedBy = declared.DividedBy;
        Declaration = $"{Name}: {Describe(declared)}";
    }

    /// <summary>The group's name.</summary>
    public string Name { get; }

    /// <summary>
    /// The declaration as text: part of the stored format, because logs record it. Two that differ may put a grain into
    /// different partitions.
    /// </summary>
    public string Declaration { get; }

    /// <summary>What a class declares; <see langword="null"/> if that is nothing.</summary>
    /// <exception cref="OrleansConfigurationException">It can't be right.</exception>
    public static GroupRule? Of(Type grainClass)
    {
        var functions = grainClass.GetCustomAttributes(inherit: true).OfType<IGroupFunction>().ToArray();
        var declared = grainClass.GetCustomAttributes(inherit: true).OfType<TransactionGroupAttribute>()
            .FirstOrDefault();
        if (functions.Length + (declared is null ? 0 : 1) > 1) throw Bad(grainClass, "it declares several: leave one");
        return functions.Length > 0 ? new GroupRule(grainClass, functions[0])
            : declared is not null ? new GroupRule(grainClass, declared)
            : null;
    }

    /// <summary>A declaration that can't be right.</summary>
    public static OrleansConfigurationException Bad(Type grainClass, string problem) =>
        new($"Grain class {grainClass} declares a transaction group ([TransactionGroup]) that can't be: {problem}.");

    /// <summary>The log partition of a grain, of so many.</summary>
    /// <exception cref="TransactionGroupException">It is of no group.</exception>
    public int PartitionOf(GrainId grain, int partitions) => _place.PartitionOf(ValueOf(grain), partitions);

    /// <summary>
    /// Which of the name's groups a grain is of: part of the stored format, by way of <see cref="GroupPlace"/>.
    /// </summary>
    /// <exception cref="TransactionGroupException">Of none.</exception>
    public string ValueOf(GrainId grain)
    {
        if (_function is not null) return Call(_function, grain);
        if (_kind == KeyKind.Text) return PartOf(grain, grain.Key.ToString()!);
        if (_kind!.Read(grain, _dividedBy) is not var (main, extension))
            throw Fails(grain, $"its key is no {_kind.Name} key");
        return _key switch
        {
            TransactionGroupKey.Main => main,
            TransactionGroupKey.Extension =>
                PartOf(grain, extension ?? throw Fails(grain, "its key has no extension")),
            _ => extension is null ? main : $"{main}+{extension}",
        };
    }

    private string Call(IGroupFunction function, GrainId grain)
    {
        string? value;
        try
        {
            value = function.Of(grain);
        }
        catch (Exception exception)
        {
            throw Fails(
                grain, $"{function.Type} threw {exception.GetType()}: {exception.Message.TrimEnd('.')}", exception);
        }

        if (!string.IsNullOrEmpty(value)) return value;
        throw Fails(grain, $"{function.Type} gave {(value is null ? "null" : "an empty text")}");
    }

    private string PartOf(GrainId grain, string text)
    {
        if (_separator is null) return text;
        var begin = 0;
        for (var part = 0; ; part++)
        {
            var end = text.IndexOf(_separator, begin, StringComparison.Ordinal);
            if (part == _part)
            {
                var value = end < 0 ? text[begin..] : text[begin..end];
                if (value.Length > 0) return value;
                throw Fails(grain, $"part {_part} of '{text}' between '{_separator}' is empty");
            }

            if (end < 0)
            {
                throw Fails(
                    grain,
                    $"'{text}' has {part + 1} part(s) between '{_separator}', and no part {_part} (they count from 0)");
            }

            begin = end + _separator.Length;
        }
    }

    private TransactionGroupException Fails(GrainId grain, string problem, Exception? inner = null) =>
        new(grain, _grainClass, problem, inner);

    private OrleansConfigurationException Bad(string problem) => Bad(_grainClass, problem);

    private void CheckName()
    {
        if (Name is not { Length: > 0 and <= NameMax }
            || !Name.All(static one => char.IsAsciiLetterOrDigit(one) || one is '-' or '_' or '.'))
            throw Bad($"'{Name}' is no group's name, which has 1 to {NameMax} characters of a-z A-Z 0-9 - _ .");
    }

    private void CheckDivision(TransactionGroupAttribute declared)
    {
        if (declared.DividedBy == 0) return;
        const string option = nameof(declared.DividedBy);
        if (declared.DividedBy < 0)
            throw Bad(string.Create(CultureInfo.InvariantCulture, $"{option} = {declared.DividedBy} is below 1"));
        if (!_kind!.IsInteger)
        {
            throw Bad(
                $"{option} is for integer keys, and its grains have {_kind.Name} keys: leave it out, or take a "
                + $"part of the key ({nameof(declared.Separator)}, {nameof(declared.Part)})");
        }

        if (_kind.IsCompound && _key != TransactionGroupKey.Main)
            throw Bad($"{option} is for the number of a compound key: add {Choose(TransactionGroupKey.Main)}");
    }

    private void CheckParts(TransactionGroupAttribute declared)
    {
        const string option = nameof(declared.Separator);
        if (_part < 0)
        {
            throw Bad(string.Create(
                CultureInfo.InvariantCulture, $"{nameof(declared.Part)} = {_part} is below 0: parts count from 0"));
        }

        if (_part > 0 && _separator is null) throw Bad($"{nameof(declared.Part)} needs a {nameof(declared.Separator)}");
        if (_separator is null) return;
        if (_separator.Length == 0) throw Bad($"{nameof(declared.Separator)} is empty");
        if (_kind != KeyKind.Text && _key != TransactionGroupKey.Extension)
        {
            var instead = _kind!.IsInteger ? $"divide them ({nameof(declared.DividedBy)})" : "leave it out";
            throw Bad(_kind.IsCompound
                ? $"{option} is for the extension of a compound key: add {Choose(TransactionGroupKey.Extension)}"
                : $"{option} is for string keys, and its grains have {_kind.Name} keys: {instead}");
        }
    }

    private static string Choose(TransactionGroupKey key) =>
        $"{nameof(TransactionGroupAttribute.Key)} = {nameof(TransactionGroupKey)}.{key}";

    private string Describe(TransactionGroupAttribute declared)
    {
        var key = _key switch
        {
            TransactionGroupKey.Main => $"main part of {_kind!.Name} key",
            TransactionGroupKey.Extension => $"extension of {_kind!.Name} key",
            _ => $"{_kind!.Name} key",
        };
        if (declared.DividedBy > 0) return string.Create(CultureInfo.InvariantCulture, $"{key} / {declared.DividedBy}");
        return _separator is null
            ? key
            : string.Create(CultureInfo.InvariantCulture, $"part {_part} of {key} by '{_separator}'");
    }
}
