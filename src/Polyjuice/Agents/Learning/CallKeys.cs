using System.Collections;
using System.Globalization;

namespace Polyjuice.Agents;

/// <summary>
/// The grain that is called to start a transaction, and whatever in its arguments may stand for another one: integers,
/// GUIDs, strings and references to grains, and collections of them. For one turn.
/// </summary>
internal sealed class CallKeys
{
    /// <summary>
    /// Keys of one call at the most. What has more is about too much for anything to be learned of it.
    /// </summary>
    public const int CountMax = 256;

    /// <summary>Characters of a key at the most: longer ones are texts.</summary>
    public const int LengthMax = 256;

    /// <summary>The grain that is called, in the place of an argument.</summary>
    internal const int Self = -1;

    // As many as most calls have.
    private readonly List<CallKey> _keys = new(8);

    /// <summary>Those of a call without arguments.</summary>
    /// <param name="grain">
    /// The name of the grain that is called, as in <see cref="Contracts.ParticipantKey.Grain"/>.
    /// </param>
    public CallKeys(string grain) => _keys.Add(new(Self, grain, IsName: true));

    internal List<CallKey> All => _keys;

    /// <summary>Whether there are more than are kept.</summary>
    internal bool IsFull { get; private set; }

    /// <summary>Takes what may stand for grains in an argument. What can't is passed over.</summary>
    /// <param name="argument">Its place, from 0.</param>
    /// <param name="value">The argument.</param>
    /// <param name="names">How the host writes keys.</param>
    public void Add(int argument, object? value, IGrainNames names)
    {
        ArgumentNullException.ThrowIfNull(names);
        // Bytes are somebody's payload.
        if (value is IEnumerable<byte>) return;
        if (value is IEnumerable<long> numbers)
        {
            foreach (var number in numbers)
            {
                if (IsFull) return;
                Add(argument, names.KeyOf(number), isName: false);
            }
        }
        else if (value is not string and IEnumerable many)
        {
            foreach (var one in many)
            {
                if (IsFull) return;
                AddOne(argument, one, names);
            }
        }
        else
        {
            AddOne(argument, value, names);
        }
    }

    private void AddOne(int argument, object? value, IGrainNames names)
    {
        var key = value switch
        {
            null => null,
            string text => text,
            long number => names.KeyOf(number),
            int or uint or short or ushort or byte or sbyte =>
                names.KeyOf(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
            Guid guid => names.KeyOf(guid),
            ValueType => null,
            _ => names.NameOf(value),
        };
        Add(argument, key, isName: value is not (string or ValueType));
    }

    private void Add(int argument, string? key, bool isName)
    {
        if (string.IsNullOrWhiteSpace(key) || key.Length > LengthMax) return;
        if (_keys.Count >= CountMax) IsFull = true;
        else _keys.Add(new(argument, key, isName));
    }
}

/// <summary>What may stand for a grain.</summary>
/// <param name="Argument">The place of the argument, or <see cref="CallKeys.Self"/>.</param>
/// <param name="Text">The grain's key or name.</param>
/// <param name="IsName">Whether it is a name.</param>
internal readonly record struct CallKey(int Argument, string Text, bool IsName);
